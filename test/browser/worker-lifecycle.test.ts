// Calls that start and stop mock workers in an order that no test would choose.
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { setupMockWorker } from "../../mocks/browser/index.ts";

const baseUrl = "https://lifecycle.test";

/** Makes a mock that leaves the page as it was, when the test has ended or failed. */
const setUp = (url = baseUrl) => {
  const mock = setupMockWorker({ baseUrl: url });
  onTestFinished(async () => {
    await mock.stop();
    mock.allowNetwork();
  });
  return mock;
};

const printed: string[] = [];
beforeEach(() => {
  printed.length = 0;
  const print = vi.spyOn(console, "error").mockImplementation((words) => void printed.push(words));
  return () => print.mockRestore();
});

const submit = (url = baseUrl): Promise<unknown> =>
  fetch(`${url}/v1/jobs`, {
    method: "POST",
    headers: { authorization: "Bearer test-key", "content-type": "application/json" },
    body: '{"action":"copy-ad"}',
  }).then(
    ({ status }) => status,
    ({ cause }) => cause?.code ?? "no code",
  );

test("start, stop and start in a row, as React's StrictMode calls them, end with a mock that answers", async () => {
  const mock = setUp();
  const calls = [mock.start(), mock.stop(), mock.start()];
  expect(await submit()).toBe("ERR_MOCK_NOT_LISTENING");
  await Promise.all(calls);
  expect(await submit()).toBe(202);
  await Promise.all([mock.stop(), mock.start(), mock.stop()]);
  expect(await submit()).toBe("ERR_MOCK_CLOSED");
  await mock.start();
  expect(await submit()).toBe(202);
});

test("a start that fails leaves the next one a way to succeed", async () => {
  const mock = setUp();
  const start = vi.spyOn(mock.worker, "start").mockRejectedValueOnce(new Error("no script"));
  const [failed, second] = await Promise.allSettled([mock.start(), mock.start()]);
  expect(failed).toMatchObject({ status: "rejected", reason: { message: "no script" } });
  expect(second.status).toBe("fulfilled");
  expect(start).toHaveBeenCalledTimes(2);
  expect(await submit()).toBe(202);
});

test("a second worker of the page ends the first one, which says so", async () => {
  const first = setUp("https://first.test");
  await first.start();
  const second = setUp();
  await second.start();
  expect(await submit()).toBe(202);
  expect(await submit("https://first.test")).toBe("ERR_MOCK_CLOSED");
  expect(printed).toEqual([
    "The mock refused a request to first.test: another mock worker has started in this page, which " +
      "ended it. Use one mock in a page.",
  ]);
  await second.stop();
  await first.start();
  expect(await submit("https://first.test")).toBe(202);
});

test("MSW's own worker.stop lets no request of the page out", async () => {
  const mock = setUp();
  await mock.start();
  await mock.worker.stop();
  expect(await submit()).toBe("ERR_MOCK_CLOSED");
  await mock.start();
  expect(await submit()).toBe(202);
});
