import{r as e,m as t,A as m}from"./parts-BT-VD9Uh.js";e();t(m,{target:document.getElementById("app")});
