import{r as e,m as t,A as m}from"./parts-LA2P1PQ5.js";e();t(m,{target:document.getElementById("app")});
