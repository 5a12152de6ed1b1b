const { setupMockWorker } = require("adgen-sdk/mocks/browser");

try {
  setupMockWorker();
} catch ({ message }) {
  console.log(message.split(",")[0]);
}
