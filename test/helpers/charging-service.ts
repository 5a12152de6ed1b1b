import { markAsNotSent } from "../../src/index.ts";
import { queued, raw, success } from "./answers.ts";
import { type Answer, listen } from "./http-server.ts";
import { lossesOf, refusals } from "./service-faults.ts";

/** Answers that charge nothing. */
const free = new Map(refusals.map(({ name, answer }) => [name, answer]));

/** Faults that come when the job is charged already. */
const charged = new Map([
  ...lossesOf(202).map(({ name, answer }): [string, Answer] => [name, answer]),
  ["a 307", raw(307, "", { location: "/v1/jobs" })],
  ["a 202 without a job id", success({ status: "queued" }, 202)],
]);

/** Failures of the `fetch` that sends: the client's option, or the global one. */
const fetchFaults = [
  "connection refused",
  "connection refused, marked",
  "connection lost after the answer",
  "another connection refused after the answer",
] as const;

export const faultNames = ["none", ...free.keys(), ...charged.keys(), ...fetchFaults];

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
    if (request.method === "GET") return success({ jobs: [] })(response, request);
    const { prompt } = JSON.parse(request.body);
    const call = calls.get(prompt);
    if (!call) throw new Error(`No call has the prompt ${prompt}`);
    const { name, delayMs } = call.faults[call.requests++] ?? { name: "none", delayMs: 0 };
    let reply = free.get(name);
    if (reply === undefined) {
      const jobId = `${prompt}-${call.charged.length + 1}`;
      call.charged.push(jobId);
      reply = charged.get(name) ?? queued(jobId);
    }
    const send = (): void => reply(response, request);
    if (delayMs) setTimeout(send, delayMs);
    else send();
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
