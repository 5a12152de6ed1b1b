import { createJobQueue, startJobWorker } from "adgen-sdk/bullmq";

// Nothing listens there: what is wrong with the options is told before anything connects.
for (const open of [createJobQueue, startJobWorker]) {
  try {
    open({});
  } catch ({ code, message }) {
    console.log(`${code}: ${message.split(":")[0]}`);
  }
}
