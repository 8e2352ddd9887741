import{r as e,m as t,A as m}from"./parts-Brrc3ygs.js";e();t(m,{target:document.getElementById("app")});
