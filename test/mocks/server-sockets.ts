import { once } from "node:events";
import { connect } from "node:net";
import { onTestFinished, vi } from "vitest";
import { type MockServerOptions, startMockServer } from "../../mocks/server/index.ts";
import { createAsk, globalFetch } from "./ask.ts";

export const authorized = { authorization: "Bearer test-key" };

/** A client that sends exactly these bytes. */
export const connectRaw = async (port: number, bytes = "") => {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  // A reset is an end, too.
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
    /** Everything so far. */
    text: () => text,
    /** Waits until this has come. */
    until: async (part: string): Promise<string> => {
      while (!text.includes(part)) await once(socket, "more");
      return text;
    },
    ended,
  };
};

/** A server that closes after the test, and its clients: one with "test-key", and two of raw bytes. */
export const startServer = async (options: MockServerOptions = {}) => {
  const server = await startMockServer(options);
  // Not in a hook of this file: files that share a process load it once.
  onTestFinished(() => server.close());
  return {
    ...server,
    ask: createAsk(globalFetch, "test-key", server.url),
    connectRaw: (bytes?: string) => connectRaw(server.port, bytes),
    /** One exchange: what was answered, to the end of the connection. */
    askRaw: async (bytes: string): Promise<string> => {
      const client = await connectRaw(server.port, bytes);
      await client.ended;
      return client.text();
    },
    /** Closes it when its time for requests that are under way never ends: it waits for none. */
    closeAtOnce: async (): Promise<void> => {
      const grace = vi.spyOn(AbortSignal, "timeout").mockReturnValue(new AbortController().signal);
      await server.close();
      grace.mockRestore();
    },
  };
};

/** The envelope in a raw answer. */
export const envelopeIn = (answer: string): unknown =>
  JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));

/** A whole request in bytes; the connection ends after it. */
export const rawKey = "Authorization: Bearer test-key";

export const rawRequest = (line: string, headers: string[] = [], body = ""): string =>
  [`${line} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers, "", body].join("\r\n");
