/** The faults that `npm run bench -- faults` plays. */
import type { OutgoingHttpHeaders } from "node:http";
import {
  answerWithText,
  hangUp,
  resetConnection,
  silence,
  stallHeaders,
} from "../../test/helpers/answers.ts";
import type { Answer } from "../../test/helpers/http-server.ts";

/** Groups of faults. The page has one table for each. */
export type Group = "paid" | "free" | "hanging" | "wrong" | "key";

/** Values that an answer of the stub may contain. */
export interface StubContext {
  /** Body of a success, in the format of the client's own service. */
  readonly success: string;
  /** Address of another host, which records whether it gets the key. */
  readonly elsewhere: string;
  /** Key that the client sent. */
  readonly key: string;
}

export interface Fault {
  /** Describes the fault in one line of the page. */
  readonly words: string;
  readonly group: Group;
  /** Call that meets the fault. @default a paid call */
  readonly call?: "read" | "print" | "abort";
  /** The service carries out the request that meets the fault. */
  readonly accepts: boolean;
  /** Every request meets the fault, not only the first. */
  readonly lasts?: boolean;
  /** The service does not listen: never, or only after three seconds. */
  readonly closed?: "always" | "at first";
  /** Key that a client is given in place of the default. */
  readonly key?: string;
  /** Id that a read asks for in place of the default. The stub answers it with a success. */
  readonly id?: string;
  readonly answer: (context: StubContext) => Answer;
}

const json = { "content-type": "application/json" };
const html = { "content-type": "text/html" };

/** Creates a failure whose message stands in each place where one of the clients looks for it. */
const failure = (status: number, headers: OutgoingHttpHeaders = {}, message = "no"): Answer => {
  const error = { type: "api_error", message };
  const body = JSON.stringify({ error, message, detail: message });
  return answerWithText(status, body, { ...json, ...headers });
};

const page = (status: number, title: string): Answer =>
  answerWithText(status, `<html><title>${title}</title></html>`, html);

const ok = (body: string): Answer => answerWithText(200, body, json);

const paid = (words: string, answer: Fault["answer"]): Fault => ({
  words,
  group: "paid",
  accepts: true,
  answer,
});

const hanging = (words: string, answer: Fault["answer"], more: Partial<Fault> = {}): Fault => ({
  words,
  group: "hanging",
  accepts: true,
  lasts: true,
  answer,
  ...more,
});

const wrong = (words: string, answer: Fault["answer"], more: Partial<Fault> = {}): Fault => ({
  words,
  group: "wrong",
  accepts: true,
  lasts: true,
  answer,
  ...more,
});

const key = (words: string, more: Partial<Fault> = {}): Fault => ({
  words,
  group: "key",
  accepts: false,
  lasts: true,
  answer: ({ success }) => ok(success),
  ...more,
});

/** Sends the headers, and then either nothing more or a space each second. */
const slowBody =
  (drips: boolean): Answer =>
  (response) => {
    response.writeHead(200, { ...json, ...(!drips && { "content-length": 1000 }) });
    response.write("{");
    if (!drips) return;
    const timer = setInterval(() => response.write(" "), 1_000);
    response.on("close", () => clearInterval(timer));
  };

export const benchFaults: readonly Fault[] = [
  paid("The connection is reset.", () => resetConnection),
  paid("The connection closes cleanly, without an answer.", () => hangUp),
  paid("The answer's body breaks off.", ({ success }) => (response) => {
    response.writeHead(200, { ...json, "content-length": success.length + 100 });
    response.write(success.slice(0, 20), () => response.socket?.destroy());
  }),
  paid("The answer is not HTTP at all.", () => (response) => {
    response.socket?.end("220 mail.example.com ESMTP\r\n");
  }),
  paid("The service answers 500.", () => failure(500)),
  paid("A gateway answers 502, with a page.", () => page(502, "Bad Gateway")),
  paid("The service answers 503, come back at once.", () => failure(503, { "retry-after": "0" })),
  paid("A gateway answers 504, with a page.", () => page(504, "Gateway Timeout")),
  paid("A network in front answers 524.", () => page(524, "A timeout")),
  paid("The service answers 408.", () => failure(408)),
  paid("The service answers 409.", () => failure(409)),
  paid("The service answers 421.", () => failure(421)),
  paid("The service redirects by 307.", () =>
    answerWithText(307, "", { location: "/v1/second-door" }),
  ),

  {
    words: "The service restarts, and does not listen for three seconds.",
    group: "free",
    accepts: false,
    closed: "at first",
    answer: ({ success }) => ok(success),
  },
  {
    words: "The service says 429, and asks to wait a second.",
    group: "free",
    accepts: false,
    answer: () => failure(429, { "retry-after": "1" }),
  },
  {
    words: "The service says 429, and asks to wait an hour.",
    group: "free",
    accepts: false,
    lasts: true,
    answer: () => failure(429, { "retry-after": "3600" }),
  },

  hanging("The service takes the order, then says nothing more.", () => silence),
  hanging("The headers of the answer stop midway.", () => stallHeaders),
  hanging("The body of the answer stops midway.", () => slowBody(false)),
  hanging("The body of the answer drips, a byte a second.", () => slowBody(true)),
  hanging("A read gets no answer.", () => silence, { call: "read", accepts: false }),
  hanging("The caller aborts, while the service is silent.", () => silence, {
    call: "abort",
  }),

  wrong("A login page answers with 200.", () => page(200, "Sign in")),
  wrong("The answer is a 200 without a body.", () => answerWithText(200, "", json)),
  wrong("The answer is a 204.", () => answerWithText(204)),
  wrong("The answer is an empty object.", () => ok("{}")),
  wrong("The answer is null.", () => ok("null")),
  wrong("The answer is an empty list.", () => ok("[]")),
  wrong("The answer is JSON without its last character.", ({ success }) =>
    ok(success.slice(0, -1)),
  ),
  wrong("The answer is a 200 that says: success false.", () =>
    ok('{"success":false,"data":null,"error":"the model is down"}'),
  ),
  wrong("The answer to a read is an empty object.", () => ok("{}"), {
    call: "read",
    accepts: false,
  }),
  wrong(
    "The service redirects by 302 to another host, which answers.",
    ({ elsewhere }) => answerWithText(302, "", { location: elsewhere }),
    { accepts: false },
  ),
  wrong(
    "The service redirects a read by 307 to another host, which answers.",
    ({ elsewhere }) => answerWithText(307, "", { location: elsewhere }),
    { call: "read", accepts: false },
  ),
  wrong("A read of the id ../../v1/account asks for another path.", ({ success }) => ok(success), {
    call: "read",
    accepts: false,
    id: "../../v1/account",
  }),

  key("The program prints its client.", { call: "print" }),
  key("Nothing listens at the address.", { closed: "always" }),
  key("The service refuses the key by 401.", { answer: () => failure(401) }),
  key("The service refuses the key by 401, and quotes it.", {
    answer: ({ key }) => failure(401, {}, `The key ${key} is not valid.`),
  }),
  key("The key contains a line break, from a file or a form.", {
    key: "sk-bench-4242\n4242-abcd",
  }),
];
