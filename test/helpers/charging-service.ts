import { markAsNotSent } from "../../src/index.ts";
import {
  cut,
  drip,
  failure,
  hangUp,
  queued,
  raw,
  reset,
  silence,
  stallBody,
  success,
} from "./answers.ts";
import { type Answer, listen } from "./http-server.ts";

/** Answers that charge nothing. */
export const refusals = {
  "400": failure(400),
  "401": failure(401),
  "402": failure(402),
  "404": failure(404),
  "429": failure(429),
  "429 at once": failure(429, "slow down", { "retry-after": "0" }),
  "429 soon": failure(429, "slow down", { "retry-after": "0.02" }),
  "429 much later": failure(429, "slow down", { "retry-after": "3600" }),
  "429 with HTML": raw(429, "<html>", { "retry-after": "0" }),
};

/** What can go wrong once the job is charged. */
export const losses = {
  "500": failure(500),
  "502": raw(502, "<html>"),
  "503 at once": failure(503, "busy", { "retry-after": "0" }),
  "408": failure(408),
  "307": raw(307, "", { location: "/v1/jobs" }),
  "302": raw(302, "", { location: "/v1/jobs" }),
  "success with failure": failure(202),
  HTML: raw(202, "<html>"),
  "no job id": success({ status: "queued" }, 202),
  reset,
  "hang up": hangUp,
  silence,
  "stalled body": stallBody(202),
  "dripping body": drip(202),
  "cut body": cut(202),
};

/** Failures of the `fetch` that sends: the client's option, or the global one. */
const fetchFaults = [
  "connection refused",
  "connection refused, marked",
  "connection lost after the answer",
  "another connection refused after the answer",
] as const;

export const faultNames = [
  "none",
  ...Object.keys(refusals),
  ...Object.keys(losses),
  ...fetchFaults,
] as const;

export interface Fault {
  readonly name: string;
  /** Before the answer. */
  readonly delayMs: number;
}

export interface Call {
  /** One for each request; requests beyond them go well. */
  readonly faults: readonly Fault[];
  /** The ids of the jobs it was charged for. */
  readonly charged: string[];
  requests: number;
  /** Number of the request after which nothing may be sent: it may have been carried out. */
  doubtAfter?: number;
}

/** Error of a `fetch` as Node throws it; `fields` are those of the system's error. */
const fetchError = (code: string, fields: object = {}): TypeError =>
  new TypeError("fetch failed", {
    cause: Object.assign(new Error(`connect ${code}`), { code, ...fields }),
  });

/** A service that charges, and fails by script; a call is known by its prompt. */
export const listenCharging = async () => {
  const calls = new Map<string, Call>();
  const answer: Answer = (response, request) => {
    const { prompt } = JSON.parse(request.body);
    const call = calls.get(prompt);
    if (!call) throw new Error("Nobody made this call.");
    const { name, delayMs } = call.faults[call.requests++] ?? { name: "none", delayMs: 0 };
    let reply: Answer;
    if (name in refusals) reply = refusals[name as keyof typeof refusals];
    else {
      const jobId = `${prompt}-${call.charged.length + 1}`;
      call.charged.push(jobId);
      reply = losses[name as keyof typeof losses] ?? queued(jobId);
    }
    if (delayMs) setTimeout(() => reply(response, request), delayMs);
    else reply(response, request);
  };
  const server = await listen(answer);

  /** Announces a call, and makes the two kinds of `fetch` that fail by its script too. */
  const script = (prompt: string, faults: readonly Fault[]) => {
    const call: Call = { faults, charged: [], requests: 0 };
    calls.set(prompt, call);
    const send = async (fetch: () => Promise<Response>, isOwn: boolean): Promise<Response> => {
      const name = faults[call.requests]?.name;
      if (name === "connection refused" || name === "connection refused, marked") {
        call.requests++;
        const error = fetchError("ECONNREFUSED");
        if (name === "connection refused, marked") throw markAsNotSent(error);
        if (isOwn) call.doubtAfter = call.requests;
        throw error;
      }
      const response = await fetch();
      if (name !== "connection lost after the answer" && name !== fetchFaults[3]) return response;
      await response.body?.cancel();
      call.doubtAfter = call.requests;
      throw name === fetchFaults[3]
        ? fetchError("ECONNREFUSED", { syscall: "connect", port: 9 })
        : fetchError("ECONNRESET");
    };
    const { fetch } = globalThis;
    return {
      call,
      ownFetch: (request: Request) => send(() => fetch(request), true),
      globalFetch: (url: string, init: RequestInit) => send(() => fetch(url, init), false),
    };
  };
  return { url: server.url, script };
};
