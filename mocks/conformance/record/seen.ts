import { idFields, type Kind } from "../../../src/contract/endpoint.ts";
import { isFinished, isJobStatus } from "../../../src/contract/jobs.ts";
import { type Match, match, methodsAt } from "../../http/match.ts";
import { isRecord, parseJson, type Question, type Reply, readAnswer } from "../exchange.ts";

/** A thing of the service, as the requests before have shown it. */
interface Known {
  /** Account that made it, by its `Authorization`. */
  readonly account: string | undefined;
  /** Body of the request that made it. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** Milliseconds since 1970. */
  readonly madeAt: number;
  /** A finished job, a deleted brand or ad. */
  isOver: boolean;
}

/** Everything that the exchanges before have shown: things by kind, then by id. */
export type Memory = Readonly<Record<Kind, Map<string, Known>>>;

export const createMemory = (): Memory => ({ job: new Map(), brand: new Map(), ad: new Map() });

/** One request and its answer, read. */
export interface Seen {
  readonly method: string;
  readonly url: URL;
  readonly call: Match | undefined;
  /** Methods that the path has; none where it is no path of the API. */
  readonly methods: readonly string[];
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly account: string | undefined;
  /** Body of the request, where it is a JSON object. */
  readonly sent: Readonly<Record<string, unknown>> | undefined;
  readonly sentText: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Data of a success, an empty object where there are none. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly error: unknown;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly memory: Memory;
}

/** Reads an exchange. */
export const readSeen = (question: Question, reply: Reply, memory: Memory, at: number): Seen => {
  const { method, path, headers: requestHeaders, body: sentText = "" } = question;
  const url = URL.parse(`http://service.invalid${path}`) ?? new URL("http://service.invalid");
  const sent = parseJson(sentText);
  const { data, error, status, headers } = readAnswer(reply);
  return {
    method,
    url,
    call: match(method, url, undefined),
    methods: methodsAt(url, undefined),
    requestHeaders,
    account: requestHeaders["authorization"],
    sent: isRecord(sent) && !Array.isArray(sent) ? sent : undefined,
    sentText,
    status,
    headers,
    data: isRecord(data) && status < 300 ? data : {},
    error,
    at,
    memory,
  };
};

/** Keeps what an exchange has shown, for those that follow. */
export const remember = ({ call, status, data, sent = {}, account, at, memory }: Seen): void => {
  if (call === undefined || status >= 300) return;
  const { method, creates, names } = call.endpoint;
  const id = creates && data[idFields[creates]];
  if (creates !== undefined && typeof id === "string") {
    memory[creates].set(id, { account, sent, madeAt: at, isOver: false });
  }
  const known = names && memory[names].get(call.id);
  const state = data["status"];
  const isOver =
    method === "DELETE" || (names === "job" && isJobStatus(state) && isFinished(state));
  if (known !== undefined && isOver) known.isOver = true;
};
