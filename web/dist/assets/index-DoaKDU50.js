import{r as e,m as t,A as m}from"./parts-a9e0X4bi.js";e();t(m,{target:document.getElementById("app")});
