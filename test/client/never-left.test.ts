import { execFile } from "node:child_process";
import dns from "node:dns";
import { once } from "node:events";
import { createServer as createHttpServer, setGlobalProxyFromEnv } from "node:http";
import { createServer } from "node:https";
import { type AddressInfo, createServer as createNetServer, type Server } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it, onTestFinished, vi } from "vitest";
import type { CallOptions } from "../../src/client/index.ts";
import { queued } from "../helpers/answers.ts";
import { doubtOfSubmission, listJobs, submitJob } from "../helpers/calls.ts";
import { clientOf, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { makeSelfSigned } from "../helpers/self-signed.ts";

const certificate = await makeSelfSigned("localhost");
const trustless = createServer(certificate);
const outdated = createServer({ ...certificate, minVersion: "TLSv1", maxVersion: "TLSv1.1" });

const received: unknown[] = [];

/** Lets a server listen, and gives its address. */
const reach = async (server: Server, origin = "https://localhost"): Promise<string> => {
  server.on("request", (request) => received.push(request));
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `${origin}:${(server.address() as AddressInfo).port}`;
};

const withoutListener = async (origin: string): Promise<string> => {
  const server = createNetServer();
  const url = await reach(server, origin);
  await new Promise((closed) => server.close(closed));
  return url;
};

const behindProxy = async (): Promise<string> => {
  const proxy = createHttpServer().on("connect", (_, socket) => {
    socket.end("HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n");
  });
  onTestFinished(setGlobalProxyFromEnv({ https_proxy: await reach(proxy, "http://127.0.0.1") }));
  return "https://ads.test";
};

const began = "POST /v1/jobs got no answer: ";
const part = (text: string): string => expect.stringContaining(text);
const blocked = `${began}port 6000 is blocked by fetch`;
const noTls = `${began}the service speaks no TLS (wrong version number): is baseUrl http, not https?`;
const selfSigned = part(": self-signed certificate");
const notRunning = part("nothing listens there; is the server running (the mock: npx adgen-mock)?");
const noTunnel = part("(502) !== 200");
const endsEarly = () => createNetServer((socket) => socket.once("data", () => socket.destroy()));

it.each<[what: string, code: string | undefined, attempts: number, said: string, () => unknown]>([
  ["has no listener", "ECONNREFUSED", 2, notRunning, () => withoutListener("http://127.0.0.1")],
  [
    "has no listener at a name",
    "ECONNREFUSED",
    2,
    notRunning,
    () => withoutListener("http://localhost"),
  ],
  ["is blocked", undefined, 2, blocked, () => "http://127.0.0.1:6000"],
  // Another attempt would fail the same way, for reads too.
  ["is not to be trusted", "DEPTH_ZERO_SELF_SIGNED_CERT", 1, selfSigned, () => reach(trustless)],
  ["speaks no TLS", "ERR_SSL_WRONG_VERSION_NUMBER", 1, noTls, () => reach(createHttpServer())],
  ["speaks old TLS", "ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION", 2, part(""), () => reach(outdated)],
  ["ends before TLS is there", "ECONNRESET", 2, part(""), () => reach(endsEarly())],
  ["is behind a proxy without a tunnel", undefined, 2, noTunnel, behindProxy],
])("a submission is not-sent when the port %s (%s)", async (_, code, attempts, said, place) => {
  const client = clientOf({ url: String(await place()) }, { maxRetries: 1 });

  const error = await rejection(submitJob(client));

  expect(error).toMatchObject({ code: "connection", outcome: "not-sent", attempts });
  expect(error.cause).toMatchObject(code === undefined ? {} : { code });
  expect(error.message.startsWith(began)).toBe(true);
  expect(error.message).toEqual(said);
  expect(error.message).not.toContain(doubtOfSubmission);
  expect(await rejection(listJobs(client))).toMatchObject({ code: "connection", attempts });
  expect(received).toEqual([]);
});

const silentTls = () => reach(createNetServer(() => {}));

it.each<[how: string, options: CallOptions, code: string]>([
  ["times out", { timeoutMs: 200 }, "timeout"],
  ["is aborted", { signal: AbortSignal.timeout(200) }, "aborted"],
])("a submission that %s before the runtime is connected is not-sent", async (_, options, code) => {
  const client = clientOf({ url: await silentTls() });
  const error = await rejection(client.jobs.submit({ action: "generate-ad" }, options));
  expect(error).toMatchObject({ code, outcome: "not-sent" });
  expect(error.message).not.toContain(doubtOfSubmission);
});

it("a submission to a host with a broken IPv6 address and a closed port is not-sent", async () => {
  const { port } = new URL(await withoutListener("http://ads.test"));
  const lookup = (_: string, __: object, tell: (...found: unknown[]) => void) => {
    // The first address is reserved for documentation and leads nowhere.
    const addresses = [
      { address: "2001:db8::1", family: 6 },
      { address: "127.0.0.1", family: 4 },
    ];
    tell(null, addresses);
  };
  vi.spyOn(dns, "lookup").mockImplementation(lookup as never);
  onTestFinished(() => void vi.restoreAllMocks());
  const error = await rejection(submitJob(clientOf({ url: `http://ads.test:${port}` })));
  expect(error).toMatchObject({ code: "connection", outcome: "not-sent", attempts: 3 });
});

const itOnUnix = it.skipIf(process.platform === "win32"); // Windows has no limit of open files.
itOnUnix("a submission of a process without a free file descriptor is not-sent", async () => {
  const server = await listen(queued());
  const script = fileURLToPath(new URL("children/no-descriptor.ts", import.meta.url));
  const command = 'ulimit -n 200; exec "$0" "$@"';
  const args = ["-c", command, process.execPath, script, server.url];
  const { stdout } = await promisify(execFile)("sh", args);
  expect(stdout.trim()).toBe("EMFILE: connection not-sent EMFILE");
  expect(server.received).toEqual([]);
});

const failed = (code: string, syscall?: string, message = code) =>
  Object.assign(new Error(message), { code, syscall });
const summed = (...errors: readonly Error[]) =>
  Object.assign(new AggregateError(errors), { code: "ETIMEDOUT" });
const [timedOut, refused] = [failed("ETIMEDOUT", "connect"), failed("ECONNREFUSED", "connect")];
const ofNode = "Node's fetch waits 300 s at most, whatever timeoutMs is; set headersTimeout";

it.each<[what: string, outcome: string, cause: Error, said?: string]>([
  ["an address that leads nowhere, and one that refuses", "not-sent", summed(timedOut, refused)],
  ["no file descriptor", "not-sent", failed("EMFILE", "connect")],
  ["no local port, in Bun", "not-sent", failed("EADDRNOTAVAIL")],
  ["no memory for a socket, in Bun", "not-sent", failed("ENOBUFS")],
  ["no file descriptor of the machine, in Bun", "not-sent", failed("ENFILE")],
  ["an impossible address, in Bun", "not-sent", failed("EINVAL")],
  ["a time limit of the system, in Bun", "unknown", failed("ETIMEDOUT")],
  ["a resolver that is busy", "not-sent", failed("EBUSY", "getaddrinfo")],
  ["a resolver's own query", "not-sent", failed("ESERVFAIL", "queryA")],
  ["a broken connection", "unknown", failed("ECONNRESET", "read")],
  ["one broken connection among others", "unknown", summed(timedOut, failed("EPIPE", "write"))],
  ["an empty AggregateError", "unknown", summed()],
  ...["Headers Timeout Error", "Body Timeout Error"].map(
    (text): [string, string, Error, string] => {
      const cause = failed(`UND_ERR_${text.split(" ")[0]?.toUpperCase()}_TIMEOUT`, undefined, text);
      return [`a ${text}`, "unknown", cause, `${text}: ${ofNode}`];
    },
  ),
])("a submission that fails by %s is %s", async (_, outcome, cause, said = "") => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("fetch failed", { cause })));
  onTestFinished(() => void vi.unstubAllGlobals());
  const error = await rejection(submitJob(clientOf({ url: "http://ads.test" }, { maxRetries: 0 })));
  expect(error).toMatchObject({ code: "connection", outcome });
  expect(error.message).toContain(said);
});
