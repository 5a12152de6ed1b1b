import { createProcessor } from "adgen-sdk/bullmq";

// What is wrong with the options is told before anything connects.
try {
  createProcessor({});
} catch ({ code, message }) {
  console.log(`${code}: ${message}`);
}
