import{r as e,m as t,A as m}from"./parts-xwA4MbTS.js";e();t(m,{target:document.getElementById("app")});
