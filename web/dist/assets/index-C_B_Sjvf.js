import{r as e,m as t,A as m}from"./parts-DUFD8WNr.js";e();t(m,{target:document.getElementById("app")});
