import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { createAdministered, origin } from "./admin-ask.ts";
import { deeds, doConnected, refusals, submission } from "./deeds.ts";

/** The admin's paths below `/__mock`, the page's apart, with their methods. */
const paths: Readonly<Record<string, string>> = {
  "/accounts": "GET, HEAD, POST",
  "/accounts/:key": "GET, HEAD, DELETE",
  "/accounts/:key/credits": "POST, PUT",
  "/accounts/:key/reset": "POST",
  "/accounts/:key/clock": "GET, HEAD, POST",
  "/clock": "GET, HEAD, POST",
  "/clock/real": "POST",
  "/jobs/next": "GET, HEAD, POST, DELETE",
  "/jobs/next/assert": "POST",
  "/jobs/next/:id": "DELETE",
  "/jobs": "GET, HEAD",
  "/jobs/:id": "GET, HEAD",
  "/jobs/:id/complete": "POST",
  "/jobs/:id/fail": "POST",
  "/jobs/:id/expire": "POST",
  "/faults": "GET, HEAD, POST, DELETE",
  "/faults/assert": "POST",
  "/faults/:id": "DELETE",
  "/journal": "GET, HEAD, DELETE",
  "/journal/find": "POST",
  "/journal/:number": "GET, HEAD",
  "/journal/assert": "POST",
  "/state": "GET, HEAD",
  "/snapshot": "GET, HEAD, PUT",
  "/reset": "POST",
  "/artwork/:jobId/:file": "GET, HEAD",
  "/openapi.json": "GET, HEAD",
  "/help": "GET, HEAD",
};

/** Requests that `connectMock` does not send. */
const more: readonly [order: string, body?: unknown][] = [
  ["GET /accounts"],
  ["POST /accounts", { key: "test-new", credits: { video: {} } }],
  ["POST /clock", { time: "2126-01-01T01:00:00Z" }],
  ["POST /jobs/next", { result: null, takesMs: null, times: "Infinity" }],
  ["POST /faults", { fault: { kind: "drip-body" }, times: null, operation: "jobs.list" }],
  ["POST /faults", { fault: { kind: "explode" } }],
  ["POST /journal/find", { account: "test-key", filter: { body: { name: "Acme" } }, limit: 3 }],
  ["GET /journal?fault=status&status=503"],
  ["GET /journal/1"],
  ["GET /jobs?action=copy-ad&text=JOB&each=2&status=queued,failed&results=false"],
  ["GET /state"],
  ["GET /openapi.json"],
  ["GET /help"],
  ["POST /reset"],
  ["POST /clock/real", {}],
];

interface Exchange {
  readonly call: string;
  readonly status: number;
  readonly sent: string;
  readonly text: string;
}

describe("the admin", () => {
  test("answers by every route, and takes what the schemas of its help allow", async () => {
    const exchanges: Exchange[] = [];
    const watch = (send: (request: Request) => Promise<Response>) => async (request: Request) => {
      const call = `${request.method} ${new URL(request.url).pathname}`;
      const [sent, response] = [await request.clone().text(), await send(request)];
      exchanges.push({ call, sent, status: response.status, text: await response.clone().text() });
      return response;
    };
    for (const deed of [...deeds, ...refusals]) await doConnected(deed, watch);
    const { admin, order, ask, service } = createAdministered({ artwork: "served" });
    const { data } = await ask("POST", "/v1/jobs", submission);
    service.jobs.complete(data.job_id);
    const picture = [`GET /artwork/${data.job_id}/1.svg?still`] as const;
    for (const [asked, body] of [picture, ...more]) {
      const [method = "", path = ""] = asked.split(" ");
      const headers = { "content-type": "application/json" };
      const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
      const send = watch(async (request) => admin.fetch(request));
      await send(new Request(`${origin}/__mock${path}`, { method, ...sent }));
    }

    const ajv = new Ajv2020({ strict: false });
    const { routes } = (await order("GET", "/help")).data;
    const answered = new Set<string>();
    for (const { call, status, sent, text } of exchanges) {
      const { method, path, body } = routes.find((route: { method: string; path: string }) =>
        new RegExp(`^${route.method} ${route.path.replace(/:\w+/g, "[^/]+")}$`).test(call),
      );
      if (status === 200) {
        answered.add(`${method} ${path}`);
        const fits = !body || ajv.validate(body, JSON.parse(sent || "{}"));
        expect(fits, `${call} ${ajv.errorsText()}`).toBe(true);
      } else {
        expect([400, 404, 409], call).toContain(status);
        const error = expect.any(String);
        expect(JSON.parse(text), call).toEqual({ success: false, data: null, error });
      }
    }
    const documented = Object.entries(paths).flatMap(([path, methods]) => {
      const others = methods.split(", ").filter((method) => method !== "HEAD");
      return others.map((method) => `${method} /__mock${path}`);
    });
    expect([...answered].sort()).toEqual(documented.sort());
    expect(routes).toHaveLength(documented.length);
  });

  // "assert" could be the number of an entry, by which a GET finds nothing.
  const { "/journal/assert": _, ...others } = paths;

  test.each(Object.entries({ ...others, "/": "GET, HEAD", "/body": "GET, HEAD" }))(
    "answers other methods of %s with 405, and names its own: %s",
    async (path, allowed) => {
      const { order } = createAdministered();
      const { status, headers, error } = await order("PATCH", path.replaceAll(":", "a"));
      expect([status, headers.get("allow")]).toEqual([405, allowed]);
      expect(error).toBe(`This path answers ${allowed}`);
    },
  );
});
