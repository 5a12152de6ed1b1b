import { QueryCache, QueryClient, queryOptions } from "@tanstack/react-query";
import type { JobStatus } from "adgen-sdk";
import { client } from "./client.ts";
import { readBalance, readSession } from "./studio-calls.ts";

/** Query of the person who is signed in. */
export const sessionQuery = queryOptions({ queryKey: ["session"], queryFn: readSession });

/** Query of what a person may still use. */
export const balanceQuery = (person: string) =>
  queryOptions({ queryKey: [person, "balance"], queryFn: readBalance });

/** A job in the list. The API's document names neither its action nor its time. */
export interface ListedJob {
  readonly job_id: string;
  readonly status: JobStatus;
  readonly action?: string;
  readonly created_at?: string;
  /** This page has just submitted it. */
  readonly isNew?: boolean;
}

/** Query of a person's recent jobs, the newest first. The proxy lists no others. */
export const jobsQuery = (person: string) =>
  queryOptions({
    queryKey: [person, "jobs"],
    queryFn: async ({ signal }): Promise<readonly ListedJob[]> => {
      const { items } = await client.jobs.list({ limit: 20 }, { signal });
      return items;
    },
  });

const isSignedOut = (error: unknown): boolean =>
  (error as { readonly status?: unknown } | null)?.status === 401;

/** Makes the store of answers. */
export const createQueries = (): QueryClient => {
  const queries: QueryClient = new QueryClient({
    defaultOptions: {
      // The client itself retries reads, and tells when the page is offline. Nothing waits unseen.
      queries: { retry: false, networkMode: "always", staleTime: 30_000 },
      mutations: { networkMode: "always" },
    },
    queryCache: new QueryCache({
      onError: (error) => {
        // The session has ended, for example because the server was started anew.
        if (isSignedOut(error)) queries.setQueryData(sessionQuery.queryKey, null);
      },
    }),
  });
  return queries;
};
