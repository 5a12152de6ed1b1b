/** The routes of the server: the API, and below `/__mock/` the page and the commands. */
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { Hono } from "hono/tiny";
import { successEnvelope } from "../../src/contract/envelope.ts";
import { artworkPath } from "../http/artwork.ts";
import type { MockRequest } from "../http/reply.ts";
import type { MockService } from "../service/mock-service.ts";
import { answerCommand, jsonHeaders, refuseCommand } from "./commands.ts";
import { mountPage } from "./page/page.ts";
import { playOnSocket } from "./play-on-socket.ts";

type Bindings = { Bindings: HttpBindings };

/** Options of the app. */
interface AppOptions {
  /** Name or address that the server listens on. */
  readonly host: string;
  /** Other names by which the page and the commands answer. */
  readonly allowHosts: readonly string[];
  /** Receives a line for each request of the API. */
  readonly log?: ((line: string) => void) | undefined;
}

/** Methods whose requests have no body. */
const withoutBody = ["GET", "HEAD", "TRACE"];

/** The signal of requests without a body. The service doesn't wait for a body, so all can share it. */
const neverAborted = new AbortController().signal;

/**
 * Reads a request from Node's own message. Reading `raw.body` or its headers would create a global
 * `Request` and `Headers`, which is slow, and fails where happy-dom has replaced them.
 */
const readIncoming = (raw: Request, { headers }: IncomingMessage): MockRequest => {
  const read = (name: string): string | null => headers[name.toLowerCase()]?.toString() ?? null;
  const hasBody = !withoutBody.includes(raw.method);
  return {
    method: raw.method,
    url: raw.url,
    signal: hasBody ? raw.signal : neverAborted,
    headers: {
      get: read,
      *[Symbol.iterator]() {
        for (const name of Object.keys(headers)) yield [name, read(name) ?? ""];
      },
    },
    body: hasBody ? undefined : null,
    text: () => raw.text(),
  };
};

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** Creates the function that answers the requests of a server. */
export const createApp = (
  service: MockService,
  { host, allowHosts, log }: AppOptions,
  closing: AbortSignal,
): ((raw: Request, bindings: HttpBindings) => Response | Promise<Response>) => {
  const app = new Hono<Bindings>();

  const answerApi = async (raw: Request, bindings: HttpBindings): Promise<Response> => {
    const reply = await service.reply(readIncoming(raw, bindings.incoming));
    const { status, fault, hint, operation } = reply;
    const { method } = raw;
    const isPreflight = method === "OPTIONS" && operation === undefined && status === 204;
    if (log && !isPreflight) {
      const time = new Date().toTimeString().slice(0, 8);
      const more = fault ? `fault: ${fault.kind}` : (hint ?? "");
      log(`${time}  ${method.padEnd(6)}  ${new URL(raw.url).pathname}  ${status}  ${more}`);
    }
    void playOnSocket(bindings, reply, closing);
    return RESPONSE_ALREADY_SENT;
  };

  app.get("*", ({ req }, next) =>
    req.path.includes(`${artworkPath}/`) ? service.artwork(req.raw) : next(),
  );
  app.get("/__mock/health", () => Response.json(successEnvelope({}), { headers: jsonHeaders }));
  // Any other name may belong to a foreign site that resolves it to this machine (DNS rebinding).
  app.use("/__mock/*", async ({ req }, next) => {
    const name = (req.header("host") ?? "").replace(/:\d+$/, "").toLowerCase();
    const isOwn =
      loopback.test(name) ||
      [host, ...allowHosts].some((allowed) => allowed.toLowerCase() === name) ||
      (host !== "127.0.0.1" && /^[\d.]+$|^\[/.test(name));
    if (isOwn) return next();
    const way = `adgen-mock --allow-host ${name}, or the option allowHosts`;
    return refuseCommand(
      403,
      `The mock's page and commands do not answer by "${name}". Allow it: ${way}`,
    );
  });
  app.post("/__mock/accounts/:key/:command", (context) =>
    answerCommand(context, () => service.account(context.req.param("key"))),
  );
  app.post("/__mock/:command", (context) => answerCommand(context, () => service));
  mountPage(app, service);
  app.all("/__mock/*", () => refuseCommand(404, "No such path"));

  app.get("/", ({ req, redirect }, next) =>
    req.header("accept")?.includes("text/html") ? redirect("/__mock/") : next(),
  );
  app.all("*", ({ req, env }) => answerApi(req.raw, env));

  // hono's router takes longer than the answer to a poll. Calls of the API go around it.
  return (raw, bindings) => {
    const { url = "" } = bindings.incoming;
    const isCall = url.includes("/v1/") && !url.includes("/__mock");
    return isCall ? answerApi(raw, bindings) : app.fetch(raw, bindings);
  };
};
