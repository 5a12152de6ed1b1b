import type { ScriptExchange, ScriptOptions } from "../../mocks/conformance/check/script.ts";
import {
  createManualClock,
  createMockService,
  type MockService,
  type MockServiceOptions,
} from "../../mocks/index.ts";

/** The accounts that the script needs. */
export const keys = { first: "test-key", second: "test-second", poor: "test-poor" };

/** A service for the script: the same each time, the time included. */
export const createScriptedService = (options: MockServiceOptions = {}): MockService =>
  createMockService({
    seed: "conformance",
    clock: createManualClock(Date.UTC(2026, 2, 2, 9, 15)),
    artwork: "inline",
    accounts: {
      [keys.first]: {},
      [keys.second]: {},
      [keys.poor]: { credits: { image: {}, video: {} } },
    },
    ...options,
  });

/** Options that run all of the script against the mock, without waits. */
export const scriptOptions: ScriptOptions = { keys, spend: true, mock: true, pollIntervalMs: 0 };

/** Gives the part of an exchange that is the same through every face. */
export const comparable = ({ question, reply }: ScriptExchange) => ({
  asked: `${question.method} ${question.path} ${question.body ?? ""}`,
  status: reply.status,
  contentType: reply.headers["content-type"],
  retryAfter: reply.headers["retry-after"],
  requestId: reply.headers["x-request-id"],
  challenge: reply.headers["www-authenticate"],
  allow: reply.headers["allow"],
  body: reply.body,
});
