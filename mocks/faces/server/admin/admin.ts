import { Hono } from "hono";
import { etag, RETAINED_304_HEADERS } from "hono/etag";
import * as z from "zod/mini";
import { failureEnvelope, successEnvelope } from "../../../../src/contract/envelope.ts";
import { statusOf } from "../../../domain/deliberate.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { mountPage } from "../page/page.ts";
import { commandRows } from "./commands.ts";
import { fileRows } from "./files.ts";
import { jsonHeaders, type Row } from "./row.ts";

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
    if (method === "ALL") continue;
    const others = methods.get(path) ?? [];
    methods.set(path, [...others, method, ...(method === "GET" ? ["HEAD"] : [])]);
  }
  for (const [path, allowed] of methods) {
    const allow = allowed.join(", ");
    app.all(path, () => refuse(405, `This path answers ${allow}`, { allow }));
  }
};

/** Writes a schema as JSON Schema, where JSON says `null` or "Infinity" for a number without an end. */
const shapeOf = (schema: z.ZodMiniType) => {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, {
    io: "input",
    override: ({ jsonSchema }) => {
      if (jsonSchema.const !== Number.POSITIVE_INFINITY) return;
      delete jsonSchema.const;
      delete jsonSchema.type;
      jsonSchema.enum = [null, "Infinity"];
    },
  });
  return shape;
};

const describeRow = ({ method, path, summary, query, body }: Row) => ({
  method,
  path,
  summary,
  ...(query && { query: shapeOf(query) }),
  ...(body && { body: shapeOf(body) }),
});

/** All routes, in the order of the help. A new command is a row of `faces/remote/commands.ts`. */
const rows: readonly Row[] = [
  ...commandRows,
  ...fileRows,
  {
    method: "GET",
    path: "/__mock/help",
    summary: "Lists these routes",
    answer: () => ({ routes: rows.map(describeRow) }),
  },
];

/**
 * Creates the admin of one service, for a server to mount at `/__mock`.
 */
export const createAdmin = (service: MockService): Admin => {
  const app = new Hono();
  // Not of pictures, of which browsers ask for parts.
  app.use("/__mock/:name", etag({ retainedHeaders: [...RETAINED_304_HEADERS, "x-mock-now"] }));
  for (const { method, path, answer } of rows) {
    app.on(method, path, async ({ req }) => {
      const asked = { service, request: req.raw, path: req.param(), query: req.query() };
      const data = await answer(asked);
      if (data instanceof Response) return data;
      return Response.json(successEnvelope(data), { headers: jsonHeaders });
    });
  }
  mountPage(app, service);
  refuseOtherMethods(app);
  app.notFound(() => refuse(404, "No such path; see /__mock/help"));
  app.onError((error) => {
    const status = statusOf(error);
    // A mistake of the mock itself: the server says so to its owner, and answers 500.
    if (status === undefined) throw error;
    return refuse(status, error.message);
  });
  return { fetch: (request) => app.fetch(request) };
};
