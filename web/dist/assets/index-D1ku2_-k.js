import{r as e,m as t,A as m}from"./parts-BJXy7Bjo.js";e();t(m,{target:document.getElementById("app")});
