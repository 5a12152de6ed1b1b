// The hook of use-order.ts, for TanStack Query in React. A retry costs nothing: `once` is the slot.
import { useQuery } from "@tanstack/react-query";
import { createClient, type JobRequest, pollJob } from "adgen-sdk";

const client = createClient({ baseUrl: "/adgen", apiKey: null });

export const useOrder = (slot: string, request: JobRequest | undefined) =>
  useQuery({
    queryKey: ["ad", slot, request],
    enabled: request !== undefined,
    staleTime: Number.POSITIVE_INFINITY, // a finished job does not change
    retry: false, // the client retries what is safe
    queryFn: async ({ signal }) => {
      if (request === undefined) throw new Error("There is no request");
      return pollJob(client, await client.jobs.submit(request, { once: slot, signal }), { signal });
    },
  });
