import{r as e,m as t,A as m}from"./parts-BAwbGQjX.js";e();t(m,{target:document.getElementById("app")});
