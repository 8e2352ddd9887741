import{r as e,m as t,A as m}from"./parts-CwBfJjEJ.js";e();t(m,{target:document.getElementById("app")});
