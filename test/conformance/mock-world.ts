import { describeVerdict } from "../../mocks/conformance/check/report.ts";
import {
  type Outcome,
  runScript,
  type ScriptExchange,
  type ScriptOptions,
} from "../../mocks/conformance/check/script.ts";
import {
  type AskService,
  askBy,
  type Question,
  type Reply,
} from "../../mocks/conformance/exchange.ts";
import {
  createManualClock,
  createMockService,
  type MockService,
  type MockServiceOptions,
} from "../../mocks/index.ts";

/** The accounts that the script needs. */
export const keys = { first: "test-key", second: "test-second", poor: "test-poor" };

/** A service for the script: the same each time, the time included. */
export const createScriptedService = (options: MockServiceOptions = {}): MockService =>
  createMockService({
    seed: "conformance",
    clock: createManualClock(Date.UTC(2026, 2, 2, 9, 15)),
    artwork: "inline",
    accounts: {
      [keys.first]: {},
      [keys.second]: {},
      [keys.poor]: { credits: { image: {}, video: {} } },
    },
    ...options,
  });

/** Options that run all of the script against the mock, without waits. */
export const scriptOptions: ScriptOptions = { keys, spend: true, pollIntervalMs: 0 };

/** Gives the part of an exchange that is the same through every face. */
export const comparable = ({ question, reply }: ScriptExchange) => ({
  asked: `${question.method} ${question.path} ${question.body ?? ""}`,
  status: reply.status,
  contentType: reply.headers["content-type"],
  retryAfter: reply.headers["retry-after"],
  requestId: reply.headers["x-request-id"],
  challenge: reply.headers["www-authenticate"],
  allow: reply.headers["allow"],
  body: reply.body,
});

/** Changes an answer on its way from the mock to its reader. */
export type Twist = (question: Question, reply: Reply) => Partial<Reply>;

/** Changes nothing. */
export const straight: Twist = () => ({});

/** Changes a text in every body. */
export const reword =
  (from: string | RegExp, to: string): Twist =>
  (_, { body }) => ({ body: body.replace(from, to) });

/** Gives answers of one status another one. */
export const restate =
  (from: number, to: number): Twist =>
  (_, { status }) => ({ status: status === from ? to : status });

/** Twists some answers only. */
export const when =
  (fits: (...args: Parameters<Twist>) => boolean | undefined, twist: Twist): Twist =>
  (question, reply) =>
    fits(question, reply) ? twist(question, reply) : {};

/** Makes every answer a refusal. */
export const refuse = (status: number, error: string): Twist => {
  const body = JSON.stringify({ success: false, data: null, error });
  return () => ({ status, body });
};

/** Makes every answer a success with this data. */
export const succeed = (status: number, data: object): Twist => {
  const body = JSON.stringify({ success: true, data, error: null });
  return () => ({ status, body });
};

/** Asks a mock whose answers are changed on their way. */
export const askTwisted =
  ({ fetch }: MockService, ...twists: readonly Twist[]): AskService =>
  async (question) => {
    const reply = { ...(await askBy(fetch, "https://ads.test")(question)) };
    for (const twist of twists) Object.assign(reply, twist(question, reply));
    return reply;
  };

/** Runs the script at such a mock. */
export const runAt = async (twist: Twist, options: Partial<ScriptOptions> = {}) => {
  const service = createScriptedService();
  const ask = askTwisted(service, twist);
  return { service, ...(await runScript(ask, { ...scriptOptions, ...options })) };
};

/** Describes the verdict of one step. */
export const verdictOf = (outcomes: readonly Outcome[], name: string): string => {
  const found = outcomes.find(({ step }) => step.name === name);
  if (!found) throw new Error(`There is no step "${name}"`);
  return describeVerdict(found);
};

/** Lists the different verdicts other than "ok". */
export const verdicts = (outcomes: readonly Outcome[]): string[] => [
  ...new Set(outcomes.map(describeVerdict).filter((verdict) => verdict !== "ok")),
];
