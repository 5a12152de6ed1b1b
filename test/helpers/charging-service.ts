import { markAsNotSent } from "../../src/index.ts";
import { raw, success } from "./answers.ts";
import { fetchError } from "./client.ts";
import { type Answer, listen } from "./http-server.ts";
import { lossesOf, refusals, type ServiceFault } from "./service-faults.ts";

/** What fails at one request of a call. */
export interface Fault extends Pick<ServiceFault, "name" | "error" | "isSlow"> {
  /** Absent where the service answers well. */
  readonly answer?: Answer;
  /** The job was made before it. */
  readonly isCharged: boolean;
  /** The error of the `fetch` that sends: in place of a request, or of its answer. */
  readonly thrown?: { readonly when: "before" | "after"; readonly error: () => TypeError };
}

const connection = { code: "connection" };

const none: Fault = { name: "none", error: {} as never, isCharged: true };

const faultList: readonly Fault[] = [
  none,
  ...refusals.map((fault) => ({ ...fault, isCharged: false })),
  ...lossesOf(202).map((fault) => ({ ...fault, isCharged: true })),
  {
    name: "a 307",
    answer: raw(307, "", { location: "/v1/jobs" }),
    error: { code: "unexpected_status", status: 307 },
    isCharged: true,
  },
  {
    name: "a 202 without an id",
    answer: success({ status: "queued" }, 202),
    error: { code: "decode", status: 202 },
    isCharged: true,
  },
  {
    name: "connection refused",
    error: connection,
    isCharged: false,
    thrown: { when: "before", error: () => fetchError("ECONNREFUSED") },
  },
  {
    name: "connection refused, marked",
    error: connection,
    isCharged: false,
    thrown: { when: "before", error: () => markAsNotSent(fetchError("ECONNREFUSED")) },
  },
  {
    name: "connection lost after the answer",
    error: connection,
    isCharged: true,
    thrown: { when: "after", error: () => fetchError("ECONNRESET") },
  },
  {
    name: "another connection refused after the answer",
    error: connection,
    isCharged: true,
    thrown: { when: "after", error: () => fetchError("ECONNREFUSED") },
  },
];

/** Each fault by its name; `"none"` is a request that goes well. */
export const faults: ReadonlyMap<string, Fault> = new Map(
  faultList.map((fault) => [fault.name, fault]),
);

/** The faults of a call, one for each request; requests beyond them go well. */
export type FaultScript = readonly { readonly name: string; readonly delayMs: number }[];

export interface Call {
  /** The ids of the jobs it was charged for. */
  readonly charged: string[];
  /** The bodies of the requests that reached the service. */
  readonly bodies: string[];
  /** Number of the requests that were tried. */
  readonly requests: () => number;
  /** What failed at the last of them. */
  readonly lastFault: () => Fault;
  /** Number of the request after which nothing may be sent: it may have been carried out. */
  readonly doubtAfter: () => number | undefined;
  /** Header by which the service knows the requests of this call. */
  readonly headers: { readonly "x-call": string };
  /** Sends a request of a caller's `fetch`. */
  readonly ownFetch: (request: Request) => Promise<Response>;
  /** Sends a request of the global `fetch`. */
  readonly globalFetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** A service that charges, and fails by the script of each call. */
export const listenCharging = async () => {
  const { fetch } = globalThis;
  const answers = new Map<string, Answer>();
  const server = await listen((response, request) => {
    if (request.method === "GET") return success({ jobs: [] })(response, request);
    answers.get(String(request.headers["x-call"]))?.(response, request);
  });

  /** Announces a call. */
  const script = (name: string, given: FaultScript): Call => {
    const charged: string[] = [];
    const bodies: string[] = [];
    let requests = 0;
    let doubtAfter: number | undefined;
    const faultAt = (index: number): Fault => faults.get(given[index]?.name ?? "none") ?? none;

    answers.set(name, (response, request) => {
      const { delayMs = 0 } = given[requests] ?? {};
      const { answer, isCharged } = faultAt(requests++);
      bodies.push(request.body);
      const id = `${name}-${charged.length + 1}`;
      if (isCharged) charged.push(id);
      const reply = answer ?? success({ job_id: id, id, status: "queued" }, 202);
      const send = (): void => reply(response, request);
      if (delayMs) setTimeout(send, delayMs);
      else send();
    });

    const send = async (sendOn: () => Promise<Response>, isOwn: boolean): Promise<Response> => {
      const { name: fault, thrown } = faultAt(requests);
      if (thrown?.when === "before") {
        requests++;
        if (isOwn && fault === "connection refused") doubtAfter = requests;
        throw thrown.error();
      }
      const response = await sendOn();
      if (thrown === undefined) return response;
      await response.body?.cancel();
      doubtAfter = requests;
      throw thrown.error();
    };
    return {
      charged,
      bodies,
      requests: () => requests,
      lastFault: () => faultAt(requests - 1),
      doubtAfter: () => doubtAfter,
      headers: { "x-call": name },
      ownFetch: (request) => send(() => fetch(request), true),
      globalFetch: (url, init) => send(() => fetch(url, init), false),
    };
  };
  return { url: server.url, script };
};
