import { failure, success } from "../helpers/answers.ts";
import { listen, type Received } from "../helpers/http-server.ts";
import type { Fault } from "./faults.ts";

/** A service on loopback that charges for each POST of a job that it has read to its end. */
export interface ChargingService {
  readonly url: string;
  /** All requests, of any kind. */
  readonly received: readonly Received[];
  /** Counts the jobs of this prompt: each is charged. */
  readonly chargesOf: (prompt: string) => number;
  /** Resolves when a job of this prompt is charged. */
  readonly charged: (prompt: string) => Promise<void>;
}

/** Time from the charge to the answer: a repeated POST comes before it, or after it. */
const answerMs = 60;

/**
 * Starts the service.
 *
 * @param faultOf - Gives the fault that POSTs of a prompt meet when they are charged
 */
export const startChargingService = async (
  faultOf: (prompt: string) => Fault | undefined = () => undefined,
): Promise<ChargingService> => {
  const prompts: string[] = [];
  const waiting = new Map<string, () => void>();
  const server = await listen((response, request) => {
    const { method, url, body } = request;
    const id = /^\/v1\/jobs\/(.+)$/.exec(url)?.[1];
    if (method === "GET" && id !== undefined) {
      const job = { job_id: id, status: "processing" };
      const exists = Number(id.slice("job-".length)) <= prompts.length;
      return (exists ? success(job) : failure(404, "Not found"))(response, request);
    }
    if (method === "GET") {
      const list = url.startsWith("/v1/brands") ? { brands: [] } : { jobs: [] };
      return success(list)(response, request);
    }
    const { prompt } = JSON.parse(body);
    const number = prompts.push(prompt);
    waiting.get(prompt)?.();
    const fault = faultOf(prompt);
    const { socket } = response;
    if (fault !== undefined && socket !== null) return fault({ socket, response });
    const job = { job_id: `job-${number}`, status: "queued" };
    const answer = success(job, 202, { "x-request-id": `request-${number}` });
    setTimeout(answer, answerMs, response, request);
  });
  return {
    url: server.url,
    received: server.received,
    chargesOf: (prompt) => prompts.filter((charged) => charged === prompt).length,
    charged: (prompt) =>
      prompts.includes(prompt)
        ? Promise.resolve()
        : new Promise((resolve) => waiting.set(prompt, resolve)),
  };
};
