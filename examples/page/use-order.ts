import { createClient, type Job, type JobRequest, watchJob } from "adgen-sdk";
import { type AssumedImageResult, assumedSchemas } from "adgen-sdk/assumed";
import { useEffect, useState } from "react";

/** The service, by the page's own server. The key stays there. */
export const client = createClient({ baseUrl: "/adgen", apiKey: null, schemas: assumedSchemas });

type AdRequest = JobRequest & { readonly action: "generate-ad" };

/** State of an order; nothing stands in it before the first answer. */
export interface OrderState {
  readonly job?: Job<AssumedImageResult>;
  /** Part that is done, from 0 to 1, where the duration can be guessed. */
  readonly fraction?: number | undefined;
  readonly error?: unknown;
}

/**
 * Orders a picture for a slot, or finds the one that was ordered before: after a reload, in another
 * tab, at a second click. A new order needs a new slot.
 */
export const useOrder = (slot: string, request: AdRequest | undefined): OrderState => {
  const [order, setOrder] = useState<OrderState>({});
  const asked = JSON.stringify(request);
  useEffect(() => {
    setOrder({});
    if (asked === undefined) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    const body: AdRequest = JSON.parse(asked);
    const run = async (): Promise<void> => {
      const submitted = await client.jobs.submit(body, { once: slot, signal });
      const polls = watchJob(client, submitted, { signal, expectedMs: 30_000 });
      for await (const job of polls) setOrder({ job, fraction: polls.progress?.fraction });
    };
    run().catch((error) => signal.aborted || setOrder({ error }));
    return () => leaving.abort();
  }, [slot, asked]);
  return order;
};
