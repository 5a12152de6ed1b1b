import type { AdGenClient, ClientOptions } from "adgen-sdk";
import { expect, vi } from "vitest";
import { failure, success } from "../helpers/answers.ts";
import { clientOf } from "../helpers/client.ts";
import { type Answer, listen, type Received } from "../helpers/http-server.ts";

/** A service that knows jobs by their ids, and lists them. */
export interface ListedJobs {
  readonly url: string;
  readonly client: AdGenClient;
  readonly clientWith: (options: ClientOptions) => AdGenClient;
  /** Status of each job; an id that is not in it is a 404. */
  readonly statuses: Map<string, string>;
  /** Answers to the list, first to last; in place of the usual one. */
  readonly listAnswers: Answer[];
  /** Requests for the list, and their limits. */
  readonly lists: readonly Received[];
  /** Ids of single polls, in their order. */
  readonly singles: readonly string[];
  readonly mostAtOnce: () => number;
}

/** Ids of so many jobs. */
export const idsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `job_${index}`);

/** The limit that a request for the list asks for. */
export const limitOf = ({ url }: Received): string | null =>
  new URL(url, "http://ads.test").searchParams.get("limit");

/**
 * Starts the service on loopback, with jobs that go on.
 *
 * @param shown - Says which ids the list shows, of those that its limit lets through
 */
export const startListedJobs = async (
  count: number,
  shown: (id: string) => boolean = () => true,
): Promise<ListedJobs> => {
  const statuses = new Map(idsOf(count).map((id) => [id, "processing"]));
  const listAnswers: Answer[] = [];
  const lists: Received[] = [];
  const singles: string[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;

  const list: Answer = (response, request) => {
    lists.push(request);
    const special = listAnswers.shift();
    if (special !== undefined) {
      special(response, request);
      return;
    }
    const jobs = [...statuses]
      .filter(([id]) => shown(id))
      .slice(0, Number(limitOf(request) ?? 100))
      .map(([job_id, status]) => ({ job_id, status }));
    success({ jobs })(response, request);
  };

  const single: Answer = (response, request) => {
    const id = request.url.split("/").at(-1) ?? "";
    singles.push(id);
    const status = statuses.get(id);
    const answer = status === undefined ? failure(404) : success({ status, result: id });
    answer(response, request);
  };

  const server = await listen((response, request) => {
    mostAtOnce = Math.max(mostAtOnce, ++atOnce);
    response.on("close", () => atOnce--);
    (/^\/v1\/jobs(\?|$)/.test(request.url) ? list : single)(response, request);
  });
  return {
    url: server.url,
    client: clientOf(server),
    clientWith: (options) => clientOf(server, options),
    statuses,
    listAnswers,
    lists,
    singles,
    mostAtOnce: () => mostAtOnce,
  };
};

/** Has all jobs finish. */
export const finishAll = ({ statuses }: ListedJobs): void => {
  for (const id of statuses.keys()) statuses.set(id, "completed");
};

/** Resolves when there have been so many requests for the list. */
export const listed = ({ lists }: ListedJobs, times: number): Promise<void> =>
  vi.waitFor(() => expect(lists.length).toBeGreaterThanOrEqual(times), {
    interval: 2,
    timeout: 60_000,
  });
