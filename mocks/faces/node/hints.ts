import { isFinished } from "../../../src/contract/jobs.ts";
import { listSome } from "../../options/require.ts";
import type { MockService } from "../../service/mock-service.ts";

/** The parts of vitest's task that tell how a test has ended. */
export interface EndedTask {
  readonly result?: {
    readonly state?: string;
    readonly errors?: readonly { readonly message?: string }[];
  };
}

const listOf = (items: readonly string[]): string => listSome(items, 4);

/** Names the keys of requests to a service without accounts, from one number of a request on. */
export const keysSince = ({ journal }: MockService, number: number): readonly string[] => {
  const keys = new Set<string>();
  for (const { account, number: own } of journal.entries) {
    if (own > number && account !== undefined) keys.add(account);
  }
  return [...keys];
};

const describeKeys = (keys: readonly string[]): string[] =>
  keys.length === 0
    ? []
    : [
        `No account has the key ${listOf(keys)} (masked), which a request had while this test ran: ` +
          "give your code the fixture apiKey.",
      ];

const describeJobs = (service: MockService): string[] => {
  const unfinished = service.jobs.all.filter(({ status }) => !isFinished(status));
  if (unfinished.length === 0) return [];
  const jobs = unfinished.map(({ job_id, action, status }) => `${job_id} (${action}, ${status})`);
  return [
    `The test waited while jobs were unfinished: ${listOf(jobs)}. When the test has fake timers, it ` +
      "must move them. When the mock has a timeline, its time must pass: see adgen-sdk/docs/testing/time.md.",
  ];
};

/**
 * Gives hints to a test that has failed; none to one that has passed.
 *
 * @param keys - Masked keys of requests that no running test has an account for
 */
export const describeHints = (
  { result }: EndedTask,
  service: MockService,
  keys: readonly string[],
): string | undefined => {
  if (result?.state !== "fail") return undefined;
  const isTimeout = result.errors?.some(({ message = "" }) => /timed out/i.test(message)) === true;
  const hints = [...describeKeys(keys), ...(isTimeout ? describeJobs(service) : [])];
  return hints.length === 0 ? undefined : `This may be why the test failed. ${hints.join(" ")}`;
};
