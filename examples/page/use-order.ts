import { createClient, type Job, type JobRequest, watchJob } from "adgen-sdk";
import { type AssumedImageResult, assumedSchemas } from "adgen-sdk/assumed";
import { useEffect, useState } from "react";

/** Client of the service, which it reaches through the page's own server. The key stays there. */
export const client = createClient({ baseUrl: "/adgen", apiKey: null, schemas: assumedSchemas });

type AdRequest = JobRequest & { readonly action: "generate-ad" };

/** State of an order. It is empty before the first answer. */
export interface OrderState {
  readonly job?: Job<AssumedImageResult>;
  /** Part of the job that is done, from 0 to 1. Absent while the duration can't be estimated. */
  readonly fraction?: number | undefined;
  readonly error?: unknown;
}

/**
 * Orders a picture for a slot. After a reload, in another tab or at a second click, it finds the
 * picture that was ordered before. A new order needs a new slot.
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
