require("adgen-sdk");
