import { expect } from "vitest";
import type { Fault } from "./faults.ts";
import { listenOnLoopback, type Protocol, readText } from "./loopback-server.ts";

/** One POST of a job that the service has read to its end. */
export interface Post {
  readonly body: string;
  readonly prompt: string;
  readonly httpVersion: string;
  readonly contentLength: string | undefined;
  /** True when an earlier request came over the same connection. */
  readonly reused: boolean;
}

/** Milliseconds from the charge to the answer, so that a POST can be repeated before the answer. */
const answerMs = 60;

const page = "<!doctype html><link rel=icon href=data:,><title>Service</title>";

/** Gives the fault that a charged POST meets. `number` counts the POSTs of a prompt from 1. */
type FaultOf = (prompt: string, number: number) => Fault | undefined;

/**
 * Starts a service on loopback that charges for each POST of a job that it has read to its end. It
 * shows a page, and serves the API below `/` and below `/adgen`.
 */
export const startChargingService = async (
  faultOf: FaultOf = () => undefined,
  protocol: Protocol = "HTTP/1.1",
) => {
  const posts: Post[] = [];
  const waiting = new Map<string, () => void>();
  let requests = 0;
  /** Counts the jobs of this prompt. */
  const chargesOf = (prompt: string): number => posts.filter((one) => one.prompt === prompt).length;
  const url = await listenOnLoopback(protocol, async (request, response, connection) => {
    const reused = connection.requests++ > 0;
    requests += 1;
    const { method, headers, httpVersion } = request;
    const path = request.url?.replace(/^\/adgen/, "") ?? "";
    const answer = (status: number, type: string, body: string): void => {
      response.statusCode = status;
      response.setHeader("content-type", type);
      response.end(body);
    };
    const succeed = (data: unknown, status = 200): void =>
      answer(status, "application/json", JSON.stringify({ success: true, data, error: null }));

    if (path === "/") return answer(200, "text/html", page);
    const body = await readText(request);
    if (method !== "POST") {
      const id = /^\/v1\/jobs\/job-(\d+)$/.exec(path)?.[1];
      if (id === undefined) return succeed(path === "/v1/brands" ? { brands: [] } : { jobs: [] });
      if (Number(id) <= posts.length) return succeed({ job_id: `job-${id}`, status: "processing" });
      const missing = JSON.stringify({ success: false, data: null, error: "Not found" });
      return answer(404, "application/json", missing);
    }
    const { prompt } = JSON.parse(body);
    const contentLength = headers["content-length"];
    const number = posts.push({ body, prompt, httpVersion, contentLength, reused });
    waiting.get(prompt)?.();
    const fault = faultOf(prompt, chargesOf(prompt));
    if (fault !== undefined) return fault({ socket: connection.socket, response });
    setTimeout(() => {
      response.setHeader("x-request-id", `request-${number}`);
      succeed({ job_id: `job-${number}`, status: "queued" }, 202);
    }, answerMs);
  });
  return {
    ...{ url, chargesOf },
    posts: posts as readonly Post[],
    /** Counts the requests of any kind. */
    requests: () => requests,
    /** Resolves when a job of this prompt is charged. */
    charged: (prompt: string): Promise<void> =>
      chargesOf(prompt) > 0
        ? Promise.resolve()
        : new Promise((resolve) => waiting.set(prompt, resolve)),
  };
};

export type ChargingService = Awaited<ReturnType<typeof startChargingService>>;

/** Checks that a POST arrived whole: its text, its length, its protocol. */
export const expectWhole = (
  { body, prompt, contentLength, httpVersion }: Post,
  { protocol, keepsLength }: { readonly protocol: Protocol; readonly keepsLength: boolean },
): void => {
  expect(JSON.parse(body)).toEqual({ action: "generate-ad", prompt });
  expect(contentLength).toBe(keepsLength ? String(Buffer.byteLength(body)) : undefined);
  expect(httpVersion).toBe(protocol === "HTTP/2" ? "2.0" : "1.1");
};
