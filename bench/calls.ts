/**
 * Measures what one call costs: first with a stub in place of `fetch`, which reads the body as the
 * real `fetch` does, then over a socket to a server in another process. All clients make the same
 * calls in turn, in one process, so that other work on the machine slows all of them alike.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { createClient } from "adgen-sdk";
import type { BareAnswer } from "./http-target.ts";
import {
  costOf,
  installPeers,
  peerFile,
  printTable,
  type Spread,
  showSpread,
  spreadOf,
} from "./measure.ts";

/** Our client may add at most this many times the cost that openai adds to a call. */
const maxRatioToOpenai = 1;
/** Over a socket the limit is higher, because the kernel's part makes the figure less certain. */
const maxSocketRatioToOpenai = 1.3;
/** The ratio to ky is an aim, not a limit. */
const aimedRatioToKy = 1.15;
/** Our client checks each item of a long list, so it may take this many times as long as ky. */
const maxListRatioToKy = 1.25;
const aimedListRatioToKy = 1.1;

const warmUpRuns = 4_000;
const rounds = 200;
/** Runs of a client in one round: few, so that most rounds end before another process runs. */
const runsEach = 60;

interface OtherClient {
  readonly get: (path: string) => Promise<unknown>;
  readonly post: (path: string, body: object) => Promise<unknown>;
}

type Calls = ReadonlyMap<string, () => Promise<unknown>>;

const jobOf = (number: number) => ({
  job_id: `job_${number}`,
  status: "processing",
  action: "generate-ad",
  created_at: "2026-01-01T00:00:00Z",
  prompt: "Summer sale on everything for the garden, from roses to rakes. ".repeat(2),
  brand_id: "brand_1",
});
const envelope = (data: unknown): string => JSON.stringify({ success: true, data, error: null });

const oneJob = envelope(jobOf(1));
/** About 100 KB. */
const manyJobs = envelope({ items: Array.from({ length: 390 }, (_, number) => jobOf(number)) });

const body = { action: "generate-ad", prompt: "Summer sale" } as const;

let answer: string | undefined = oneJob;
const realFetch = globalThis.fetch;
globalThis.fetch = async (input, init) => {
  if (answer === undefined) return realFetch(input, init);
  const { body } = input instanceof Request ? input : (init ?? {});
  if (body) await new Response(body).text();
  return new Response(answer, { headers: { "content-type": "application/json" } });
};

installPeers();
const { clientsAt, fixedClients } = await import(peerFile("calls.mjs"));

/** Creates a GET and a POST for each client, which both go to this address. */
const callsAt = (baseUrl: string, more: Record<string, OtherClient>) => {
  const others = Object.entries<OtherClient>({ ...clientsAt(baseUrl), ...more });
  const { jobs } = createClient({ baseUrl, apiKey: "test-key" });
  const getting: Calls = new Map([
    ...others.map(([name, { get }]) => [name, () => get("/v1/jobs/job_1")] as const),
    ["adgen-sdk", () => jobs.get("job_1")] as const,
  ]);
  const posting: Calls = new Map([
    ...others.map(([name, { post }]) => [name, () => post("/v1/jobs", body)] as const),
    ["adgen-sdk", () => jobs.submit(body)] as const,
  ]);
  const listing: Calls = new Map([
    ...others.map(([name, { get }]) => [name, () => get("/v1/jobs?limit=400")] as const),
    ["adgen-sdk", () => jobs.list({ limit: 400 })] as const,
  ]);
  return { getting, posting, listing };
};

/** Measures how many microseconds each client takes for the same call. */
const measure = async (
  calls: Calls,
  /** Share of the runs: a call that takes long needs fewer. */
  share = 1,
): Promise<Map<string, Spread>> => {
  for (const call of calls.values()) await costOf(Math.ceil(warmUpRuns * share), call);
  const costs = new Map<string, number[]>([...calls.keys()].map((name) => [name, []]));
  const inTurn = [...calls];
  for (let round = 0; round < rounds; round += 1) {
    // Each client begins equally often, because the next one pays for the garbage that it has left.
    inTurn.push(...inTurn.splice(0, 1));
    for (const [name, call] of inTurn) {
      costs.get(name)?.push(await costOf(Math.ceil(runsEach * share), call));
    }
  }
  return new Map([...costs].map(([name, each]) => [name, spreadOf(each)]));
};

const medianOf = (spreads: Map<string, Spread>, name: string): number =>
  spreads.get(name)?.median ?? Number.NaN;

/** Gives the microseconds that a client adds to the same call by bare `fetch`. */
const addedBy = (spreads: Map<string, Spread>, name: string): number =>
  medianOf(spreads, name) - medianOf(spreads, "fetch");

const printCosts = (what: string, spreads: Map<string, Spread>): void => {
  console.log();
  printTable(
    [what, "median", "added to fetch", "to ky", "quartiles"],
    [...spreads].map(([name, spread]) => [
      name,
      `${spread.median.toFixed(1)} µs`,
      `${addedBy(spreads, name).toFixed(1)} µs`,
      `${(spread.median / medianOf(spreads, "ky")).toFixed(2)}×`,
      `${showSpread(spread, 1)} µs`,
    ]),
  );
};

interface Verdict {
  readonly what: string;
  readonly ratio: number;
  readonly limit: number;
  /** The limit is an aim: the benchmark doesn't fail when the ratio is above it. */
  readonly isAim?: true;
}

/** Compares the cost that our client adds to a call with what openai and ky add. */
const judgeAdded = (
  what: string,
  spreads: Map<string, Spread>,
  limit = maxRatioToOpenai,
): Verdict[] => {
  const own = addedBy(spreads, "adgen-sdk");
  const ratioTo = (name: string): number => own / addedBy(spreads, name);
  return [
    { what: `${what}: added, against openai`, ratio: ratioTo("openai"), limit },
    {
      what: `${what}: added, against ky`,
      ratio: ratioTo("ky"),
      limit: aimedRatioToKy,
      isAim: true,
    },
  ];
};

const verdicts: Verdict[] = [];

const onStub = callsAt("https://ads.test", fixedClients);
const getting = await measure(onStub.getting);
printCosts(`GET, ${oneJob.length} bytes`, getting);
verdicts.push(...judgeAdded("GET", getting));
const posting = await measure(onStub.posting);
printCosts(`POST, ${oneJob.length} bytes`, posting);
verdicts.push(...judgeAdded("POST", posting));
answer = manyJobs;
const listing = await measure(onStub.listing, 0.1);
printCosts(`List, ${Math.round(manyJobs.length / 1000)} KB`, listing);
const ratio = medianOf(listing, "adgen-sdk") / medianOf(listing, "ky");
const what = "List: all of it, against ky";
verdicts.push({ what, ratio, limit: maxListRatioToKy });
verdicts.push({ what, ratio, limit: aimedListRatioToKy, isAim: true });

answer = undefined;
const server = fork(new URL("./http-target.ts", import.meta.url), ["bare"]);
const [url] = await once(server, "message");
const headers = { "content-type": "application/json" };
server.send({ status: 200, headers, body: oneJob } satisfies BareAnswer);
await once(server, "message");
const onSocket = callsAt(url, {});
for (const [what, calls] of [
  ["GET over a socket", onSocket.getting],
  ["POST over a socket", onSocket.posting],
] as const) {
  const costs = await measure(calls, 0.25);
  printCosts(what, costs);
  verdicts.push(...judgeAdded(what, costs, maxSocketRatioToOpenai));
}
server.disconnect();

const isBroken = ({ ratio, limit, isAim }: Verdict): boolean => !isAim && !(ratio <= limit);

console.log();
printTable(
  ["", "what", "measured", "limit"],
  verdicts.map((verdict) => {
    const { what, ratio, limit, isAim } = verdict;
    const mark = isBroken(verdict) ? "BAD" : ratio <= limit ? "ok" : "not yet";
    return [mark, what, `${ratio.toFixed(2)}×`, `≤ ${limit}×${isAim ? " (aim)" : ""}`];
  }),
);
const broken = verdicts.filter(isBroken).length;
console.log(`\n${broken === 0 ? "All limits held" : `Limits broken: ${broken}`}.`);
process.exitCode = broken === 0 ? 0 : 1;
