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

/**
 * Gives hints to a test that has failed; none to one that has passed.
 *
 * @param keys - Masked keys of requests that no running test has an account for
 */
export const describeHints = (
  { result }: EndedTask,
  service: MockService,
  keys: ReadonlySet<string>,
): string | undefined => {
  if (result?.state !== "fail") return undefined;
  const hints: string[] = [];
  if (keys.size > 0) {
    hints.push(
      `No account has the key ${listSome([...keys], 4)} (masked), which a request had while this ` +
        "test ran: give your code the fixture apiKey.",
    );
  }
  const unfinished = service.jobs.all.filter(({ status }) => !isFinished(status));
  if (
    unfinished.length > 0 &&
    result.errors?.some(({ message = "" }) => /timed out/i.test(message))
  ) {
    const jobs = unfinished.map(({ job_id, action, status }) => `${job_id} (${action}, ${status})`);
    hints.push(
      `The test waited while jobs were unfinished: ${listSome(jobs, 4)}. When the test has fake ` +
        "timers, it must move them. When the mock has a timeline, its time must pass: see adgen-sdk/docs/testing/time.md.",
    );
  }
  return hints.length === 0 ? undefined : `This may be why the test failed. ${hints.join(" ")}`;
};
