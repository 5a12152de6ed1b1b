import type { Assumption } from "../assumptions.ts";
import { parseJson, type Question, type Reply } from "../exchange.ts";
import { createTally, type Finding } from "../tally.ts";
import { createDocumentCheck } from "./document.ts";
import { jobObservers } from "./observe-jobs.ts";
import { libraryObservers } from "./observe-library.ts";
import { requestObservers } from "./observe-requests.ts";
import { createMemory, readSeen, remember, type Seen } from "./seen.ts";

/** Everything that the exchanges have shown so far. */
export interface RecordReport {
  readonly exchanges: number;
  /** Requests that got no whole answer. */
  readonly unanswered: number;
  readonly assumptions: readonly Finding[];
  /** Differences from `openapi.json`, each with its number of answers. */
  readonly unlikeDocument: readonly { readonly message: string; readonly answers: number }[];
}

/** One exchange, in words. */
interface Noted {
  /** Differences that no exchange before had. */
  readonly news: readonly string[];
}

/** Compares answers with `openapi.json` and with the assumptions. It sends nothing itself. */
export interface Recorder {
  /** Takes note of an exchange. */
  note(question: Question, reply: Reply): Noted;
  /** Takes note of a request without an answer. */
  noteUnanswered(): void;
  report(): RecordReport;
}

const observers = { ...jobObservers, ...libraryObservers, ...requestObservers };

/** @param now - Gives the time in milliseconds since 1970. */
export const createRecorder = (now: () => number = Date.now): Recorder => {
  const memory = createMemory();
  const tally = createTally();
  const unlike = new Map<string, number>();
  const told = new Set<string>();
  const checkDocument = createDocumentCheck();
  let exchanges = 0;
  let unanswered = 0;

  /** Lists the differences of an exchange from the assumptions, and counts what holds. */
  const observe = (seen: Seen): string[] => {
    const differences: string[] = [];
    for (const [assumption, look] of Object.entries(observers)) {
      const sight = look(seen);
      if (sight === undefined) continue;
      const difference = sight === true ? undefined : sight;
      tally.add({ assumption: assumption as Assumption, difference });
      if (difference !== undefined) differences.push(`~ ${assumption} differs: ${difference}`);
    }
    return differences;
  };

  return {
    note: (question, reply) => {
      exchanges += 1;
      const seen = readSeen(question, reply, memory, now());
      const differences = observe(seen);
      const isHead = question.method === "HEAD";
      const unlikeIt =
        seen.call && !isHead && checkDocument(seen.call, reply.status, parseJson(reply.body));
      if (unlikeIt !== undefined && unlikeIt !== false) {
        unlike.set(unlikeIt, (unlike.get(unlikeIt) ?? 0) + 1);
        differences.push(`✗ unlike openapi.json: ${unlikeIt}`);
      }
      remember(seen);
      const news = differences.filter((difference) => !told.has(difference));
      for (const difference of news) told.add(difference);
      return { news };
    },
    noteUnanswered: () => {
      unanswered += 1;
    },
    report: () => ({
      exchanges,
      unanswered,
      assumptions: tally.findings(),
      unlikeDocument: [...unlike].map(([message, answers]) => ({ message, answers })),
    }),
  };
};
