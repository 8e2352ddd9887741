import{r as e,m as t,A as m}from"./parts-2F134cMv.js";e();t(m,{target:document.getElementById("app")});
