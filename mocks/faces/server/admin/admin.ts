import { Hono } from "hono";
import { failureEnvelope, successEnvelope } from "../../../../src/contract/envelope.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { placeOf, routeIds } from "../../remote/places.ts";
import { mountPage } from "../page/page.ts";
import { type AdminRoute, jsonHeaders, statusOf } from "./route.ts";
import { routes } from "./routes.ts";

/** The part of the server that steers and shows a running mock: JSON, and a page. */
export interface Admin {
  /** Answers every path that is `/__mock` or below it. */
  fetch(request: Request): Response | Promise<Response>;
}

const refuse = (status: number, message: string, headers = {}): Response =>
  Response.json(failureEnvelope(message), { status, headers: { ...jsonHeaders, ...headers } });

/** Answers 405 for the methods that a path has no route for. */
const refuseOtherMethods = (app: Hono): void => {
  const methods = new Map<string, string[]>();
  for (const { method, path } of app.routes) {
    const others = methods.get(path) ?? [];
    methods.set(path, [...others, method, ...(method === "GET" ? ["HEAD"] : [])]);
  }
  for (const [path, allowed] of methods) {
    const allow = allowed.join(", ");
    app.all(path, () => refuse(405, `This path answers ${allow}`, { allow }));
  }
};

/**
 * Makes the admin of one service, for a server to mount at `/__mock`.
 *
 * @param problems - Reads what goes wrong in the server at this moment, in words
 */
export const createAdmin = (
  service: MockService,
  problems: () => readonly string[] = () => [],
): Admin => {
  const app = new Hono();
  for (const id of routeIds) {
    const { method, path } = placeOf(id);
    const route: AdminRoute = routes[id];
    app.on(method, path, async ({ req }) => {
      const answer = await route.answer({ service, problems, request: req.raw }, req.param());
      if (answer instanceof Response) return answer;
      return Response.json(successEnvelope(answer), { headers: jsonHeaders });
    });
  }
  mountPage(app, service, problems);
  refuseOtherMethods(app);
  app.notFound(() => refuse(404, "No such path; see /__mock/help"));
  app.onError((error) => refuse(statusOf(error), error.message));
  return { fetch: (request) => app.fetch(request) };
};
