import { type Context, Hono } from "hono";
import { failureEnvelope, successEnvelope } from "../../../../src/contract/envelope.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { stateRoutes } from "../page/admin-state.ts";
import { renderPage } from "../page/page.ts";
import { accountRoutes } from "./admin-accounts.ts";
import { clockRoutes } from "./admin-clock.ts";
import { faultRoutes } from "./admin-faults.ts";
import { readBody } from "./admin-input.ts";
import { jobRoutes } from "./admin-jobs.ts";
import { journalRoutes } from "./admin-journal.ts";
import { type AdminRoute, Refusal } from "./admin-route.ts";
import { worldRoutes } from "./admin-world.ts";

/** What a person or a script uses to steer a running mock: JSON, and a page to look at. */
export interface Admin {
  /** Answers every path that is `/__mock` or below it. */
  fetch(request: Request): Response | Promise<Response>;
}

const routes: readonly AdminRoute[] = [
  ...stateRoutes,
  ...accountRoutes,
  ...clockRoutes,
  ...jobRoutes,
  ...faultRoutes,
  ...journalRoutes,
  ...worldRoutes,
];

/** For people: `:file{[0-9]+\.svg}` is `:file`. */
const help = routes.map(({ method, path, summary }) => ({
  method,
  path: path.replace(/\{.*\}/, ""),
  summary,
}));

const helpRoute: AdminRoute = {
  method: "GET",
  path: "/__mock/help",
  summary: "these routes",
  answer: () => ({ routes: help }),
};

const pageRoutes: readonly AdminRoute[] = [
  { method: "GET", path: "/__mock/", summary: "the page", answer: () => renderPage(help) },
  {
    method: "GET",
    path: "/__mock",
    summary: "the page",
    answer: () => new Response(null, { status: 308, headers: { location: "/__mock/" } }),
  },
];

const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

const refuse = (status: number, message: string, more: Record<string, string> = {}): Response =>
  Response.json(failureEnvelope(message), { status, headers: { ...headers, ...more } });

const handle =
  (service: MockService, route: AdminRoute) =>
  async ({ req }: Context): Promise<Response> => {
    const body = route.method === "POST" || route.method === "PUT";
    const answered = await route.answer({
      service,
      request: req.raw,
      parts: req.param(),
      query: new URL(req.url).searchParams,
      body: body ? await readBody(req.raw, route) : {},
    });
    return answered instanceof Response
      ? answered
      : Response.json(successEnvelope(answered), { headers });
  };

/** The admin of one service, for a server to mount at `/__mock`. */
export const createAdmin = (service: MockService): Admin => {
  const app = new Hono();
  const methods = new Map<string, string[]>();
  for (const route of [...routes, helpRoute, ...pageRoutes]) {
    app.on(route.method, route.path, handle(service, route));
    const others = methods.get(route.path) ?? [];
    methods.set(route.path, [...others, route.method, ...(route.method === "GET" ? ["HEAD"] : [])]);
  }
  for (const [path, allowed] of methods) {
    const allow = allowed.join(", ");
    app.all(path, () => refuse(405, `This path answers ${allow}`, { allow }));
  }
  app.notFound(() => refuse(404, "No such path; see /__mock/help"));
  app.onError((error) =>
    error instanceof Refusal
      ? refuse(error.status, error.message)
      : refuse(500, `The admin failed: ${error.message}`),
  );
  return { fetch: (request) => app.fetch(request) };
};
