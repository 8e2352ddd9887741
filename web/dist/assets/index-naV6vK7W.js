import{r as e,m as t,A as m}from"./parts-Bem_cBml.js";e();t(m,{target:document.getElementById("app")});
