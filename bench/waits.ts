/**
 * Measures how often each client polls a job, and how late it sees the job's end. Every client
 * waits for the same jobs, one after the other, on a simulated clock: each run gives the same
 * numbers.
 */
import { setImmediate as turn } from "node:timers/promises";
import { install } from "@sinonjs/fake-timers";
import { createClient } from "adgen-sdk";
import { createRandom } from "../test/helpers/random.ts";
import { installPeers, peerFile, printTable } from "./measure.ts";

/** Lengths of jobs, in seconds. */
const lengths = { short: [2, 6], medium: [10, 30], long: [60, 180] } as const;
const jobsEach = 50;
/** Bounds of our client: polls of a job, and mean delay in milliseconds. */
const bounds = { short: [5, 1_200], medium: [13, 1_500], long: [62, 6_500] } as const;

type Length = keyof typeof lengths;

/** The state of one job at a time. Each client's `fetch` writes it in the format of that client. */
interface Service {
  readonly submit: () => string;
  readonly poll: (id: string) => boolean;
}

/** Submits a job and waits for its end. */
type Wait = (service: Service) => Promise<unknown>;

/** Waits with our client, which may remember how long earlier jobs took. */
const ourWait = (): Wait => {
  let service: Service | undefined;
  const answer = (data: object) => Response.json({ success: true, data, error: null });
  const client = createClient({
    baseUrl: "https://ads.test",
    apiKey: "test-key",
    fetch: async ({ method, url }) => {
      if (method === "POST") return answer({ job_id: service?.submit(), status: "queued" });
      const id = url.slice(url.lastIndexOf("/") + 1);
      const status = service?.poll(id) ? "completed" : "processing";
      return answer({ job_id: id, status, action: "generate-ad", result: {} });
    },
  });
  return (given) => {
    service = given;
    return client.jobs.submitAndPoll({ action: "generate-ad" });
  };
};

installPeers();
const { waits: peers }: { waits: Readonly<Record<string, Wait>> } = await import(
  peerFile("waits.mjs")
);
const clock = install({
  toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "performance", "Date"],
});

/** Moves the time from timer to timer until the task has ended. */
const run = async (task: Promise<unknown>): Promise<void> => {
  let hasEnded = false;
  const end = task.finally(() => {
    hasEnded = true;
  });
  end.catch(() => {});
  for (;;) {
    // Let the work that a timer or an answer has begun end before the clock moves.
    for (let turns = 0; turns < 3; turns += 1) await turn();
    if (hasEnded) break;
    clock.next();
  }
  await end;
};

const measure = async (length: Length, wait: () => Wait) => {
  // Every client gets the same jitter.
  Math.random = createRandom(1);
  const random = createRandom(2);
  const [from, to] = lengths[length];
  let [polls, lateMs] = [0, 0];
  for (let job = 0; job < jobsEach; job += 1) {
    const durationMs = 1_000 * (from + (to - from) * random());
    let endsAt = 0;
    const service: Service = {
      submit: () => {
        endsAt = clock.now + durationMs;
        return `job_${job}`;
      },
      poll: () => {
        polls += 1;
        return clock.now >= endsAt;
      },
    };
    await run(wait()(service));
    lateMs += clock.now - endsAt;
  }
  return { polls: polls / jobsEach, delayMs: lateMs / jobsEach };
};

const rows: string[][] = [];
const broken: string[] = [];
const warm = ourWait();
const clients: readonly (readonly [name: string, wait: () => Wait])[] = [
  ["adgen-sdk, one client", () => warm],
  ["adgen-sdk, a client for each job", ourWait],
  ...Object.entries(peers).map(([name, wait]) => [name, () => wait] as const),
];
for (const [name, wait] of clients) {
  const cells: string[] = [];
  for (const length of Object.keys(lengths) as Length[]) {
    const { polls, delayMs } = await measure(length, wait);
    cells.push(`${polls.toFixed(1)} polls, ${(delayMs / 1_000).toFixed(2)} s late`);
    const [maxPolls, maxDelayMs] = bounds[length];
    const isOurs = name.startsWith("adgen-sdk");
    if (isOurs && !(polls <= maxPolls && delayMs <= maxDelayMs)) broken.push(`${name}, ${length}`);
  }
  rows.push([name, ...cells]);
}
clock.uninstall();
printTable(
  ["", ...Object.entries(lengths).map(([name, [from, to]]) => `${name}, ${from} to ${to} s`)],
  rows,
);
console.log(
  `\n${broken.length === 0 ? "All bounds are met" : `Bounds not met: ${broken.join("; ")}`}.`,
);
process.exitCode = broken.length === 0 ? 0 : 1;
