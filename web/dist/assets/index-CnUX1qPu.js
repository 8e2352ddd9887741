import{r as e,m as t,A as m}from"./parts-c6wJulMI.js";e();t(m,{target:document.getElementById("app")});
