/** The server's routes: the API by the service, and below `/__mock/` what steers and shows it. */
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import { type Context, Hono } from "hono";
import { failureEnvelope, successEnvelope } from "../../../src/contract/envelope.ts";
import { allowsBody } from "../../http/delivery.ts";
import { corsHeaders, isPreflight, preflightHeaders } from "../../http/preflight.ts";
import type { MockService } from "../../service/mock-service.ts";
import { fromJson, toJson } from "../remote/endless.ts";
import { mountPage } from "./page/page.ts";
import { headersOf, playOnSocket } from "./play-on-socket.ts";

type Bindings = { Bindings: HttpBindings };

const json = { "content-type": "application/json", "cache-control": "no-store" };

const refuse = (status: number, message: string): Response =>
  new Response(JSON.stringify(failureEnvelope(message)), { status, headers: json });

/** Methods for the process of the service alone. */
const local = ["fetch", "reply"];

/** Runs `faults.play` and the like on a service or an account, and gives what it returns. */
const run = (owner: object, command: string, given: readonly unknown[]): unknown => {
  const path = command.split(".");
  let member: unknown = owner;
  for (const name of path) {
    const isThere = Object(member) === member && Object.hasOwn(member as object, name);
    if (!isThere || local.includes(name)) throw new Error(`The mock has no "${command}"`);
    member = Reflect.get(member as object, name);
  }
  return typeof member === "function" ? member(...given) : member;
};

const answerCommand = async ({ req }: Context, owner: () => object): Promise<Response> => {
  // A page of another origin can send no JSON without asking first, and is not allowed to.
  const isJson = req.header("content-type")?.startsWith("application/json");
  if (!isJson) return refuse(415, "The arguments of a command are a JSON list");
  try {
    const given = fromJson((await req.text()) || "[]");
    if (!Array.isArray(given)) throw new Error("The arguments of a command are a JSON list");
    const data = run(owner(), req.param("command") ?? "", given) ?? null;
    return new Response(toJson(successEnvelope(data)), { headers: json });
  } catch (error) {
    return refuse(400, (error as Error).message);
  }
};

const loopback = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/;

/** Creates the app that a server serves. `log` gets a line for each request of the API. */
export const createApp = (
  service: MockService,
  { host, log }: { readonly host: string; readonly log?: ((line: string) => void) | undefined },
  closing: AbortSignal,
): Hono<Bindings> => {
  const app = new Hono<Bindings>();

  // Another name may be one of a foreign site, whose owner has pointed it to this machine.
  app.use("/__mock/*", async ({ req }, next) => {
    const asked = req.header("host") ?? "";
    const isOwn = loopback.test(asked) || (host !== "127.0.0.1" && /^[\d.:[\]]+$/.test(asked));
    return isOwn ? next() : refuse(403, "Ask the mock by its own address: see the Host header");
  });
  app.get(
    "/__mock/health",
    () => new Response(JSON.stringify(successEnvelope({})), { headers: json }),
  );
  app.post("/__mock/accounts/:key/:command", (context) =>
    answerCommand(context, () => service.account(context.req.param("key"))),
  );
  app.post("/__mock/:command", (context) => answerCommand(context, () => service));
  mountPage(app, service);
  app.all("/__mock/*", () => refuse(404, "No such path"));

  app.get("/", ({ req, redirect }, next) =>
    req.header("accept")?.includes("text/html") ? redirect("/__mock/") : next(),
  );
  app.all("*", async ({ req, env }) => {
    const { method, path, raw } = req;
    if (isPreflight(method, req.header())) {
      return new Response(null, { status: 204, headers: preflightHeaders(req.header()) });
    }
    const reply = await service.reply(raw);
    const { status, body, delivery, delayMs, fault } = reply;
    log?.(
      `${new Date().toTimeString().slice(0, 8)}  ${method.padEnd(6)}  ${path}  ${status}  ${fault ? `fault: ${fault.kind}` : (reply.hint ?? "")}`,
    );
    const headers = { ...corsHeaders, ...headersOf(reply) };
    if (delivery.how === "whole" && delayMs === 0) {
      return new Response(allowsBody(method, status) ? body : null, { status, headers });
    }
    void playOnSocket(env, reply, headers, closing);
    return RESPONSE_ALREADY_SENT;
  });
  return app;
};
