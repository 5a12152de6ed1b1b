import type { OutgoingHttpHeaders } from "node:http";
import type { AdGenClient, ClientOptions } from "adgen-sdk";
import { expect, vi } from "vitest";
import { success } from "../helpers/answers.ts";
import { clientOf } from "../helpers/client.ts";
import { type Answer, listen, type Received } from "../helpers/http-server.ts";

/** A job as it is polled. The id is left out: one answer does for every job. */
export const job = (status: string, more: object = {}, headers: OutgoingHttpHeaders = {}): Answer =>
  success({ status, ...more }, 200, headers);

export interface JobService {
  readonly url: string;
  /** Every request, as it came in. */
  readonly polls: readonly Received[];
  /** The most requests that were ever under way at once. */
  readonly mostAtOnce: () => number;
  /** Resolves when there have been so many requests. */
  readonly asked: (times: number) => Promise<void>;
  readonly client: AdGenClient;
  readonly clientWith: (options: ClientOptions) => AdGenClient;
}

/** A bare HTTP server that gives each poll the next answer, and the last one ever after. */
export const startJobService = async (...answers: readonly Answer[]): Promise<JobService> => {
  let atOnce = 0;
  let mostAtOnce = 0;
  const counted = answers.map(
    (answer): Answer =>
      (response, request) => {
        mostAtOnce = Math.max(mostAtOnce, ++atOnce);
        response.on("close", () => atOnce--);
        answer(response, request);
      },
  );
  const server = await listen(...counted);
  return {
    url: server.url,
    polls: server.received,
    mostAtOnce: () => mostAtOnce,
    asked: (times) =>
      vi.waitFor(() => expect(server.received).toHaveLength(times), {
        interval: 2,
        timeout: 60_000,
      }),
    client: clientOf(server),
    clientWith: (options) => clientOf(server, options),
  };
};
