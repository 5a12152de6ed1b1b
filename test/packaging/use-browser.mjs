import { setupMockWorker } from "adgen-sdk/mocks/browser";

try {
  setupMockWorker();
} catch ({ message }) {
  console.log(message.split(",")[0]);
}
