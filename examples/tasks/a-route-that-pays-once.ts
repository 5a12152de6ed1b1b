// The routes of a server: `POST /ads` orders an ad, `GET /ads/<order_id>` tells what became of it.
// A repeat of an order, after a timeout or a crash, gives the same job and costs nothing more.
import { createClient, type ErrorCode, isAdGenError } from "adgen-sdk";
import { createSubmissions, type RecordStore } from "adgen-sdk/submissions";

const statuses: Partial<Record<ErrorCode, number>> = {
  payment_required: 402,
  bad_request: 422,
  invalid_request: 422, // also the same order with another prompt
  in_doubt: 409, // somebody has to decide: see the guide to crashes
};

/** Reads your session. */
type UserOf = (request: Request) => string | undefined;

/** The store outlives the process. */
export const createAdRoutes = (store: RecordStore, userOf: UserOf) => {
  const submissions = createSubmissions(store);
  const client = createClient({ submissions });

  return async (request: Request): Promise<Response> => {
    const user = userOf(request);
    if (user === undefined) return Response.json({ error: "unauthorized" }, { status: 401 });
    // An id from outside includes the user, so that nobody gets the job of another.
    const idOf = (order: unknown) => JSON.stringify([user, String(order)]);
    if (request.method === "GET") {
      const order = new URL(request.url).pathname.split("/").at(-1);
      const { state } = await submissions.find(idOf(order));
      return Response.json({ state }, { status: state === "free" ? 404 : 200 });
    }
    const { order_id, prompt } = await request.json();
    try {
      const once = { id: idOf(order_id), waitMs: 2_000 };
      const ad = { action: "generate-ad", prompt: String(prompt) } as const;
      return Response.json(await client.jobs.submit(ad, { once }), { status: 201 });
    } catch (error) {
      if (!isAdGenError(error)) throw error;
      const headers = { "retry-after": `${Math.ceil((error.retryAfterMs ?? 5_000) / 1_000)}` };
      const status = statuses[error.code] ?? 503; // ask again: the order is paid once
      return Response.json({ error: error.code }, { status, headers });
    }
  };
};
