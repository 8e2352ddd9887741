import{r as e,m as t,A as m}from"./parts-CAOEXKbN.js";e();t(m,{target:document.getElementById("app")});
