import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it } from "vitest";
import { createClient, markAsNotSent } from "../../src/index.ts";
import { clientOf, fetchError, paidJob, rejection, testKey } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";

it.each<[string, Error, object]>([
  [
    "POST /v1/jobs got no answer: offline",
    markAsNotSent(new Error("offline")),
    { outcome: "not-sent", attempts: 2 },
  ],
  [
    `POST /v1/jobs got no answer: connect ECONNREFUSED${doubtOfSubmission}`,
    fetchError("ECONNREFUSED"),
    { outcome: "unknown", attempts: 1 },
  ],
])("says of a fetch that cannot send: %s", async (message, thrown, expected) => {
  const fetch = async (): Promise<never> => {
    throw thrown;
  };
  const client = createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch });

  const error = await rejection(client.jobs.submit(paidJob, { maxRetries: 1 }));

  expect(error).toMatchObject({ name: "ConnectionError", ...expected });
  expect(error.message).toBe(message);
});

it.each(["127.0.0.1", "localhost"])("gives a port of %s without a listener up", async (host) => {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));

  const error = await rejection(clientOf({ url: `http://${host}:${port}` }).jobs.submit(paidJob));

  expect(error).toMatchObject({
    ...{ name: "ConnectionError", code: "connection", outcome: "not-sent", attempts: 3 },
    cause: { code: "ECONNREFUSED" },
  });
  expect(error.message).not.toContain("may exist");
});

it("markAsNotSent gives back the same error, with a mark that no printer shows", () => {
  const error = new Error("offline");

  expect(markAsNotSent(error)).toBe(error);
  expect(Object.keys(error)).toEqual([]);
  expect(JSON.stringify({ ...error })).toBe("{}");
});
