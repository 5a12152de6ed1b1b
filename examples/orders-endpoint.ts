// A server of orders: `POST /orders` answers 202 at once, `GET /orders/:id` tells what became of an
// order, also after a restart. A repeated POST, after a timeout or a crash, costs nothing more.
//
//   npm install adgen-sdk hono @hono/node-server
//   node orders-endpoint.ts
import { createClient, type ErrorCode, isAdGenError } from "adgen-sdk";
import { createSubmissions, type RecordStore } from "adgen-sdk/submissions";
import { Hono } from "hono";

const statuses: Partial<Record<ErrorCode, 402 | 409 | 422>> = {
  payment_required: 402,
  bad_request: 422,
  invalid_request: 422, // also the same order with another prompt
  in_doubt: 409, // a person has to decide: `npx adgen-submissions`
};

/** Creates the server. `store` must outlive the process: `openFileStore` or `createRedisStore`. */
export const createOrders = (
  store: RecordStore,
  userOf: (request: Request) => string | undefined,
): Hono => {
  const submissions = createSubmissions(store);
  const client = createClient({ submissions });
  const orders = new Hono();
  // An id from outside includes the user, so that nobody gets the job of another.
  const idOf = (user: string, order: string): string => JSON.stringify([user, order]);

  orders.post("/orders", async ({ req, json, header }) => {
    const user = userOf(req.raw);
    if (user === undefined) return json({ error: "unauthorized" }, 401);
    const { id, prompt } = (await req.json().catch(() => null)) ?? {};
    // Without this check, a forgotten prompt would be paid for as the prompt "undefined".
    if (typeof id !== "string" || typeof prompt !== "string" || id === "" || prompt === "")
      return json({ error: "id and prompt must be text" }, 400);
    try {
      const ad = { action: "generate-ad", prompt } as const;
      const once = { id: idOf(user, id), waitMs: 2_000 };
      const { job_id } = await client.jobs.submit(ad, { once });
      header("location", `/orders/${encodeURIComponent(id)}`);
      return json({ id, job_id }, 202);
    } catch (error) {
      if (!isAdGenError(error)) throw error;
      header("retry-after", `${Math.ceil((error.retryAfterMs ?? 5_000) / 1_000)}`);
      return json({ error: error.code }, statuses[error.code] ?? 503); // ask again: it is paid once
    }
  });

  orders.get("/orders/:id", async ({ req, json }) => {
    const user = userOf(req.raw);
    if (user === undefined) return json({ error: "unauthorized" }, 401);
    const found = await submissions.find(idOf(user, req.param("id")));
    if (found.state === "free") return json({ state: "unknown" }, 404);
    if (found.state !== "settled" || found.job_id === undefined)
      return json({ state: found.state });
    // The service keeps the job, and no work goes on in this process, so a restart loses nothing.
    const job = await client.jobs.get(found.job_id);
    return json({ ...job, state: job.status });
  });
  return orders;
};

if (process.argv[1] === import.meta.filename) {
  const { serve } = await import("@hono/node-server");
  const { openFileStore } = await import("adgen-sdk/submissions/file");
  const store = await openFileStore("./submissions");
  const userOf = ({ headers }: Request) => headers.get("x-user") ?? undefined; // yours: the session
  serve({ fetch: createOrders(store, userOf).fetch, port: Number(process.env["PORT"] ?? 3000) });
}
