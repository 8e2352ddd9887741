import{r as e,m as t,A as m}from"./parts-D1fD377y.js";e();t(m,{target:document.getElementById("app")});
