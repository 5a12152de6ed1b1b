import "adgen-sdk";
