import{r as e,m as t,A as m}from"./parts-TdR_3qdc.js";e();t(m,{target:document.getElementById("app")});
