import{r as e,m as t,A as m}from"./parts-B32v3mUw.js";e();t(m,{target:document.getElementById("app")});
