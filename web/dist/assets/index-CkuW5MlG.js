import{r as e,m as t,A as m}from"./parts-D5itukaO.js";e();t(m,{target:document.getElementById("app")});
