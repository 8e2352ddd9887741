import{r as e,m as t,A as m}from"./parts-B0HAchdJ.js";e();t(m,{target:document.getElementById("app")});
