// Orders on a platform where no process lives long: a Lambda takes orders, and a cron job looks
// after them each minute. The orders are rows of your database. `once` makes you pay once for each.
import { createClient, isAdGenError, pollJobs } from "adgen-sdk";
import { createSubmissions, type RecordStore, recoverJobs } from "adgen-sdk/submissions";

/** A row of your table. */
export interface Order {
  readonly id: string;
  readonly prompt: string;
  jobId?: string;
  state: "new" | "waiting" | "completed" | "failed" | "for a person";
  result?: unknown;
}

/** Your table. */
export interface OrderTable {
  save(order: Order): Promise<void>;
  /** Lists the orders that are new or waiting. */
  open(): Promise<Order[]>;
}

export const createOrders = (table: OrderTable, store: RecordStore) => {
  const client = createClient({ submissions: createSubmissions(store) });

  /** Submits an order. A second run finds the same job. */
  const submit = async (order: Order): Promise<void> => {
    const request = { action: "generate-ad", prompt: order.prompt } as const;
    try {
      const { job_id } = await client.jobs.submit(request, { once: order.id });
      await table.save({ ...order, jobId: job_id, state: "waiting" });
    } catch (error) {
      if (!isAdGenError(error)) throw error;
      // The next run tries again what was not sent, or what another process is sending. An id that
      // belongs to an order with another prompt would be refused each time.
      const isForLater = error.outcome === "not-sent" || error.code === "under_way";
      const isRefused = error.code === "invalid_request";
      if (!isForLater || isRefused) await table.save({ ...order, state: "for a person" });
    }
  };

  return {
    /** The Lambda: keeps the order before it is paid, so that a crash loses none. */
    async accept(id: string, prompt: string): Promise<void> {
      const order: Order = { id, prompt, state: "new" };
      await table.save(order);
      await submit(order);
    },

    /** The cron job: submits new orders, polls waiting ones once, and lists those in doubt. */
    async runEveryMinute(): Promise<readonly string[]> {
      for (const order of await table.open()) if (order.state === "new") await submit(order);
      const waiting = (await table.open()).filter(({ jobId }) => jobId !== undefined);
      const jobs = await pollJobs(
        client,
        waiting.map(({ jobId = "" }) => jobId),
        { timeoutMs: 0 },
      );
      for (const { index, ok, data, error } of jobs) {
        const order = waiting[index];
        if (order === undefined) continue;
        if (!ok) {
          // The next run polls it again, unless the service doesn't know the job.
          const { cause } = error;
          if (isAdGenError(cause) && cause.code === "not_found")
            await table.save({ ...order, state: "for a person" });
          continue;
        }
        const result = data.status === "completed" ? data.result : data.error;
        await table.save({ ...order, state: data.status, result });
      }
      const { unknown } = await recoverJobs(client);
      return unknown.map(({ id }) => id); // tell a person, who decides by `npx adgen-submissions`
    },
  };
};
