/** A user of the mock's worker, who calls it where no service worker can run. */
import { setupMockWorker } from "adgen-sdk/mocks/browser";

export const start = async (): Promise<number> => {
  const mock = setupMockWorker({ baseUrl: "https://ads.test" });
  await mock.start();
  mock.reset();
  return mock.service.jobs.all.length;
};

export const use = (): Promise<string> =>
  start().then(String, ({ message }) => message.split(",")[0]);
