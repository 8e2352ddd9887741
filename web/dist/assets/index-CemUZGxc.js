import{r as e,m as t,A as m}from"./parts-OQVX9qCt.js";e();t(m,{target:document.getElementById("app")});
