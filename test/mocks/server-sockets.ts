import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { onTestFinished, vi } from "vitest";
import { type MockServer, type MockServerOptions, startMockServer } from "../../mocks/server.ts";
import { type Ask, createAsk, globalFetch } from "./ask.ts";

/** A server, and a client with "test-key". */
export interface AskedServer extends MockServer {
  readonly ask: Ask;
}

/** A server that closes after the test. */
export const startServer = async (options: MockServerOptions = {}): Promise<AskedServer> => {
  const server = await startMockServer(options);
  // Not in a hook of this file: files that share a process load it once.
  onTestFinished(() => server.close());
  return { ...server, ask: createAsk(globalFetch, "test-key", server.url) };
};

/** Closes a server whose time for requests that are under way never ends: it waits for none. */
export const closeAtOnce = async (server: MockServer): Promise<void> => {
  const grace = vi.spyOn(AbortSignal, "timeout").mockReturnValue(new AbortController().signal);
  await server.close();
  grace.mockRestore();
};

export const authorized = { authorization: "Bearer test-key" };

/** A raw client: all bytes that came, and the end of the connection. */
export interface RawClient {
  readonly socket: Socket;
  /** Everything so far. */
  readonly text: () => string;
  /** Waits until this has come. */
  readonly until: (part: string) => Promise<string>;
  /** Waits for the end; the code of the error, if it was one. */
  readonly ended: Promise<string | undefined>;
}

/** A client that sends exactly these bytes. */
export const connectRaw = async (port: number, bytes = ""): Promise<RawClient> => {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  let code: string | undefined;
  socket.on("error", (error: NodeJS.ErrnoException) => {
    code = error.code;
  });
  const ended = new Promise<string | undefined>((resolve) => {
    socket.on("close", () => resolve(code));
  });
  socket.on("data", (chunk) => {
    text += chunk;
    socket.emit("more");
  });
  await once(socket, "connect");
  socket.write(bytes);
  const until = async (part: string): Promise<string> => {
    while (!text.includes(part)) await once(socket, "more");
    return text;
  };
  return { socket, text: () => text, until, ended };
};

/** One exchange in raw bytes: what was answered, to the end of the connection. */
export const askRaw = async (port: number, bytes: string): Promise<string> => {
  const client = await connectRaw(port, bytes);
  await client.ended;
  return client.text();
};

/** The envelope in a raw answer. */
export const envelopeIn = (answer: string): unknown =>
  JSON.parse(answer.slice(answer.indexOf("\r\n\r\n") + 4));

/** A whole request in bytes; the connection ends after it. */
export const rawRequest = (line: string, headers: string[] = [], body = ""): string =>
  [`${line} HTTP/1.1`, "Host: localhost", "Connection: close", ...headers, "", body].join("\r\n");
