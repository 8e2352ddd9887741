import{r as e,m as t,A as m}from"./parts-Dja2qnfc.js";e();t(m,{target:document.getElementById("app")});
