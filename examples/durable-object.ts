// A Cloudflare Worker with a Durable Object for each order: its storage is the store, and its alarm
// polls the job. `PUT /<order>` with a prompt orders, `GET /<order>` tells what became of it.
//
//   wrangler.toml: a durable_objects binding ORDERS of the class Order, a migration that names the
//   class in new_sqlite_classes; ADGEN_BASE_URL as a variable, ADGEN_API_KEY as a secret.
//   Check your users' sign-in before you use an id from outside.
import { DurableObject } from "cloudflare:workers";
import { createClient, createPollTicket, isAdGenError, pollOnce } from "adgen-sdk";
import { createSubmissions, type RecordStore, type StoredRecord } from "adgen-sdk/submissions";

interface Env {
  readonly ADGEN_BASE_URL: string;
  readonly ADGEN_API_KEY: string;
  readonly ORDERS: DurableObjectNamespace<Order>;
}

/** Row of a record. It needs no lock: an object runs in one place, and a transaction is atomic. */
type Row = StoredRecord & { readonly list?: string | undefined; readonly until: number };

const createStore = (storage: DurableObjectStorage): RecordStore => {
  const read = async (id: string): Promise<Row | undefined> => {
    const row = await storage.get<Row>(`record ${id}`);
    return row && row.until > Date.now() ? row : undefined;
  };
  return {
    get: read,
    swap: (id, expected, next) =>
      storage.transaction(async () => {
        const row = await read(id);
        if ((row?.rev ?? "") !== expected) return row;
        await storage.delete(`record ${id}`);
        if (next === undefined) return undefined;
        const until = Date.now() + (next.ttlMs ?? 1e15);
        const written: Row = { id, rev: next.rev, text: next.text, list: next.list, until };
        await storage.put(`record ${id}`, written);
        return written;
      }),
    list: async (name, limit) => {
      const rows = await storage.list<Row>({ prefix: "record " });
      return [...rows.values()].filter(({ list }) => list === name).slice(0, limit);
    },
  };
};

export class Order extends DurableObject<Env> {
  readonly #storage = this.ctx.storage;
  readonly #client = createClient({
    baseUrl: this.env.ADGEN_BASE_URL,
    apiKey: this.env.ADGEN_API_KEY,
    submissions: createSubmissions(createStore(this.#storage)),
  });

  async order(prompt: string): Promise<string> {
    try {
      const request = { action: "generate-ad", prompt } as const;
      const job = await this.#client.jobs.submit(request, { once: "the order" });
      if ((await this.#storage.get("ticket")) === undefined) {
        await this.#storage.put("ticket", createPollTicket(job));
        await this.#storage.setAlarm(Date.now() + 2_000);
      }
      return job.job_id;
    } catch (error) {
      if (isAdGenError(error)) return `${error.code}, ${error.outcome}`;
      throw error;
    }
  }

  read(): Promise<unknown> {
    return this.#storage.get("job");
  }

  override async alarm(): Promise<void> {
    const ticket = await this.#storage.get<ReturnType<typeof createPollTicket>>("ticket");
    if (ticket === undefined) return;
    const polled = await pollOnce(this.#client, ticket);
    if (polled.done) return this.#storage.put("job", polled.job);
    await this.#storage.put("ticket", polled.ticket);
    await this.#storage.setAlarm(Date.now() + polled.waitMs);
  }
}

export default {
  async fetch(request: Request, { ORDERS }: Env): Promise<Response> {
    const order = ORDERS.get(ORDERS.idFromName(new URL(request.url).pathname));
    if (request.method === "PUT") return new Response(await order.order(await request.text()));
    return Response.json((await order.read()) ?? null);
  },
};
