import "adgen-sdk/opentelemetry";
