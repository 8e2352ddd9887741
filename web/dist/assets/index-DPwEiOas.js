import{r as e,m as t,A as m}from"./parts-BIJrqW2P.js";e();t(m,{target:document.getElementById("app")});
