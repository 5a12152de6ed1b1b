import { once } from "node:events";
import { connect } from "node:net";
import { onTestFinished } from "vitest";
import {
  createManualClock,
  createMockService,
  type MockServiceOptions,
} from "../../mocks/index.ts";
import { type MockServerOptions, startMockServer } from "../../mocks/server/index.ts";
import { type Answered, createAsk, globalFetch } from "./ask.ts";

export const start = Date.UTC(2026, 0, 1);

export const minute = 60_000;

/** A timeline by which jobs complete at once. */
export const atOnce = { queuedMs: 0, processingMs: 0 };

/** Creates a service with two accounts and a clock that stands still, and functions that act as a client. */
export const setUp = (options: MockServiceOptions = {}) => {
  const clock = createManualClock(start);
  const accounts = { "test-key": {}, "test-b": {} };
  const service = createMockService({ accounts, clock, ...options });
  const ask = createAsk(service);
  const { jobs, faults, journal } = service;
  const post = (body: object, key = "test-key"): Promise<Answered> =>
    createAsk(service, key)("POST", "/v1/jobs", { action: "generate-ad", ...body });
  const poll = (id: string, key = "test-key"): Promise<Answered> =>
    createAsk(service, key)("GET", `/v1/jobs/${id}`);
  return {
    ...{ service, ask, clock, jobs, faults, journal, post, poll },
    account: service.account("test-key"),
    /** Submits a job, by default of "generate-ad", and returns its id. */
    submit: async (body: object = {}, key?: string): Promise<string> =>
      (await post(body, key)).data.job_id,
    /** Polls twice, which finishes a job without a timeline, and returns the job. */
    finish: async (id: string, key?: string) => {
      await poll(id, key);
      return (await poll(id, key)).data;
    },
    /** Sends this number of requests, one after the other. */
    list: async (times: number, path = "/v1/jobs"): Promise<void> => {
      for (let count = 0; count < times; count += 1) await ask("GET", path);
    },
  };
};

export const authorized = { authorization: "Bearer test-key" };

/** Connects a client that sends exactly these bytes. */
export const connectRaw = async (port: number, bytes = "") => {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  // A reset also closes the socket.
  socket.on("error", () => {});
  const ended = new Promise<void>((resolve) => socket.on("close", () => resolve()));
  socket.on("data", (chunk) => {
    text += chunk;
    socket.emit("more");
  });
  await once(socket, "connect");
  socket.write(bytes);
  return {
    socket,
    /** Returns everything that has come so far. */
    text: () => text,
    /** Waits until this text has come. */
    until: async (part: string): Promise<string> => {
      while (!text.includes(part)) await once(socket, "more");
      return text;
    },
    ended,
  };
};

/** Starts a server that closes after the test, with clients for JSON and for raw bytes. */
export const startServer = async (options: MockServerOptions = {}) => {
  const server = await startMockServer(options);
  // A hook of this file would run for one test file only, because the files share a process.
  onTestFinished(() => server.close());
  return {
    ...server,
    ask: createAsk(globalFetch, "test-key", server.url),
    connectRaw: (bytes?: string) => connectRaw(server.port, bytes),
    /** Sends bytes, and returns everything that comes until the connection ends. */
    askRaw: async (bytes: string): Promise<string> => {
      const client = await connectRaw(server.port, bytes);
      await client.ended;
      return client.text();
    },
  };
};

/** Parses the envelope in a raw answer. */
export const envelopeIn = (answer: string): unknown =>
  JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));

export const rawKey = "Authorization: Bearer test-key";

/** Writes a whole request, after whose answer the connection ends. */
export const rawRequest = (line: string, headers: string[] = [], body = ""): string =>
  [`${line} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers, "", body].join("\r\n");
