import { runInNewContext } from "node:vm";
import { markAsNotSent } from "../../src/client/index.ts";
import { answerWithText, success } from "./answers.ts";
import { fetchError } from "./client.ts";
import { type Answer, listen } from "./http-server.ts";
import { lossesOf, refusals, type ServiceFault } from "./service-faults.ts";

/** A fault at one request of a call. */
export interface Fault extends Pick<ServiceFault, "name" | "isSlow"> {
  /** Fields of the error of a call that this fault ends. */
  readonly error: object;
  /** Answer of the service; absent when the service answers with a success. */
  readonly answer?: Answer;
  /** Whether the service makes and charges the job before the fault. */
  readonly isCharged: boolean;
  /** Error that `fetch` throws before it sends the request, or after the answer has arrived. */
  readonly thrown?: { readonly when: "before" | "after"; readonly value: unknown };
  /** With which `fetch` a write may be sent again after this fault. */
  readonly repeatedBy?: "the default" | "the caller's" | "each";
}

const waitsAreShort = /at once|soon|in HTML/;

const serviceFaults: readonly Fault[] = [
  { name: "none", error: {}, isCharged: true },
  ...refusals.map((fault): Fault => {
    const { isRepeated: _, ...rest } = fault;
    const mayRepeat = rest.error.code === "rate_limited" && waitsAreShort.test(rest.name);
    return { ...rest, isCharged: false, ...(mayRepeat && { repeatedBy: "each" }) };
  }),
  ...lossesOf(202).map(({ isRepeated: _, ...fault }) => ({ ...fault, isCharged: true })),
  {
    name: "a 307",
    answer: answerWithText(307, "", { location: "/v1/jobs" }),
    error: { code: "unexpected_status", status: 307 },
    isCharged: true,
  },
  {
    name: "a 202 without an id",
    answer: success({ status: "queued" }, 202),
    error: { code: "decode", status: 202 },
    isCharged: true,
  },
];

/** Creates a fault in which `fetch` throws before it sends a request. */
const before = (name: string, value: unknown, repeatedBy?: Fault["repeatedBy"]): Fault => {
  const { cause } = (value ?? {}) as { cause?: { code: string; message: string } };
  const copied = cause && { cause: { code: cause.code, message: cause.message } };
  const error = { code: "connection", ...copied };
  const thrown = { when: "before", value } as const;
  return { name, error, isCharged: false, thrown, ...(repeatedBy && { repeatedBy }) };
};

/** Creates a fault in which `fetch` throws after the service has answered. */
const after = (code: string): Fault => ({
  name: `${code} after the answer`,
  error: { code: "connection" },
  isCharged: true,
  thrown: { when: "after", value: fetchError(code) },
});

const fetchFaults: readonly Fault[] = [
  before("ECONNREFUSED", fetchError("ECONNREFUSED"), "the default"),
  before("ECONNREFUSED, marked", markAsNotSent(fetchError("ECONNREFUSED")), "each"),
  after("ECONNRESET"),
  after("ECONNREFUSED"),
];

/** An error of another realm, such as a test runner's sandbox makes. */
const ofAnotherRealm: unknown = runInNewContext(
  `new TypeError("fetch failed", {
    cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }),
  })`,
);

const otherFetchFaults: readonly Fault[] = [
  ...["ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"].map((code) =>
    before(code, fetchError(code), "the default"),
  ),
  ...["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH"].map((code) =>
    before(`${code} at connect`, fetchError(code, { syscall: "connect" }), "the default"),
  ),
  before("a refusal of another realm", ofAnotherRealm, "the default"),
  before("a plain error, marked", markAsNotSent(new Error("offline")), "the caller's"),
  before(
    "a DOMException, marked",
    markAsNotSent(new DOMException("no", "NetworkError")),
    "the caller's",
  ),
  before("no error at all, marked", markAsNotSent({ message: "offline" }), "the caller's"),
  // These codes don't prove that the request never left.
  ...["ECONNRESET", "EPIPE", "ETIMEDOUT", "UND_ERR_SOCKET", "UND_ERR_HEADERS_TIMEOUT"].map((code) =>
    before(code, fetchError(code)),
  ),
  before("a text that is no error", "offline"),
];

/** Each fault by its name; `"none"` is a request that goes well. */
export const chargingFaults: ReadonlyMap<string, Fault> = new Map(
  [...serviceFaults, ...fetchFaults, ...otherFetchFaults].map((fault) => [fault.name, fault]),
);

/** The faults that random calls meet, with only one fault of each kind of `fetch` error. */
export const randomFaults = [...serviceFaults, ...fetchFaults].map(({ name }) => name);

/** Tells whether a write may be sent again after a fault. */
export const mayRepeat = ({ repeatedBy }: Fault, hasOwnFetch: boolean): boolean =>
  repeatedBy === "each" || repeatedBy === (hasOwnFetch ? "the caller's" : "the default");

/** The faults of a call, one for each request; requests beyond them go well. */
export type FaultScript = readonly { readonly name: string; readonly delayMs: number }[];

/** A service that charges, and fails by the script of each call. */
export const listenCharging = async () => {
  const { fetch } = globalThis;
  const answers = new Map<string, Answer>();
  const server = await listen((response, request) => {
    if (request.method === "GET") return success({ jobs: [] })(response, request);
    answers.get(String(request.headers["x-call"]))?.(response, request);
  });

  /** Announces a call. */
  const script = (name: string, given: FaultScript) => {
    const charged: string[] = [];
    const bodies: string[] = [];
    let requests = 0;
    let doubtAfter: number | undefined;
    const faultAt = (index: number): Fault =>
      chargingFaults.get(given[index]?.name ?? "none") ?? (serviceFaults[0] as Fault);

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
      const fault = faultAt(requests);
      const { thrown } = fault;
      if (thrown?.when === "before") {
        requests++;
        if (!mayRepeat(fault, isOwn)) doubtAfter = requests;
        throw thrown.value;
      }
      const response = await sendOn();
      if (thrown === undefined) return response;
      await response.body?.cancel();
      doubtAfter = requests;
      throw thrown.value;
    };
    return {
      /** The ids of the jobs that the call was charged for. */
      charged,
      /** The bodies of the requests that reached the service. */
      bodies,
      /** Number of the requests that were tried. */
      requests: () => requests,
      /** The fault of the last request. */
      lastFault: () => faultAt(requests - 1),
      /** Number of the request that may have been carried out. Nothing may be sent after it. */
      doubtAfter: () => doubtAfter,
      /** Header by which the service knows the requests of this call. */
      headers: { "x-call": name },
      /** Sends a request of a caller's `fetch`. */
      ownFetch: (request: Request) => send(() => fetch(request), true),
      /** Sends a request of the global `fetch`. */
      globalFetch: (url: string, init: RequestInit) => send(() => fetch(url, init), false),
    };
  };
  return { url: server.url, script };
};

export type Call = ReturnType<Awaited<ReturnType<typeof listenCharging>>["script"]>;
