/** A service with many jobs at once, and a client of ours for it. Its answers take a while. */
import { type AdGenClient, createClient } from "adgen-sdk";

const action = "generate-ad";

/** Many jobs that were submitted at one moment. */
export interface Crowd {
  readonly client: AdGenClient;
  readonly ids: readonly string[];
  /** Requests so far. */
  readonly requests: () => number;
  /** Largest number of requests that were under way at once. */
  readonly mostAtOnce: () => number;
}

const createdAt = "2026-01-01T00:00:00Z";

export type HasEnded = (nowMs: number, durationMs: number, place: number) => boolean | undefined;

/**
 * Creates jobs with these durations, by the process's clock, which others have submitted.
 *
 * @param hasEnded - Whether a list shows a job finished; `undefined` where the list fails
 * @param listMs - Time until a list is answered
 */
export const createCrowd = (
  durations: readonly number[],
  latencyMs: number,
  hasEnded: HasEnded = (nowMs, durationMs) => nowMs >= durationMs,
  listMs: number = latencyMs,
): Crowd => {
  const startedAt = performance.now();
  const places = new Map(durations.map((_, place) => [`job_${place}`, place]));
  const ids = [...places.keys()];
  let requests = 0;
  let atOnce = 0;
  let most = 0;
  const show = (id: string, isListed = false) => {
    const place = places.get(id) ?? -1;
    const duration = durations[place] ?? Number.POSITIVE_INFINITY;
    const now = performance.now() - startedAt;
    const isOver = isListed ? hasEnded(now, duration, place) : now >= duration;
    if (isOver === undefined) throw new Error("The list fails");
    const status = isOver ? "completed" : "processing";
    return { job_id: id, status, action, created_at: createdAt, result: {} };
  };
  const answer = (address: string): Response => {
    const { pathname, searchParams } = new URL(address);
    const id = pathname.split("/")[3];
    const limit = Number(searchParams.get("limit") ?? 100);
    // Newest first, as the service lists them.
    const data =
      id === undefined
        ? {
            jobs: ids
              .slice(-limit)
              .reverse()
              .map((each) => show(each, true)),
          }
        : show(id);
    return Response.json({ success: true, data, error: null });
  };
  const isList = (url: string): boolean => new URL(url).pathname.endsWith("/jobs");
  const client = createClient({
    baseUrl: "https://ads.test",
    apiKey: "test-key",
    fetch: async ({ url }) => {
      requests += 1;
      atOnce += 1;
      most = Math.max(most, atOnce);
      await new Promise((resolve) => setTimeout(resolve, isList(url) ? listMs : latencyMs));
      atOnce -= 1;
      return answer(url);
    },
  });
  return { client, ids, requests: () => requests, mostAtOnce: () => most };
};
