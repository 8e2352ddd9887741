import{r as e,m as t,A as m}from"./parts-9La_mqRm.js";e();t(m,{target:document.getElementById("app")});
