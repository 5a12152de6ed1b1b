/** A browser test of a consumer: type-checked against the packed package, never run. */
import { setupMockWorker } from "adgen-sdk/mocks/browser";

const mock = setupMockWorker({ baseUrl: "https://ads.test" });

export const start = async (): Promise<number> => {
  await mock.start();
  mock.reset();
  return mock.service.jobs.all.length;
};
