import{r as e,m as t,A as m}from"./parts-DdX83Ofp.js";e();t(m,{target:document.getElementById("app")});
