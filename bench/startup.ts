/**
 * `npm run bench -- startup` measures how long a process takes to import a client, make one call
 * and end. Command-line tools and serverless functions need this time at each start. Processes are
 * started in turn, so that other work on the machine slows all of them alike.
 * Name further scripts to compare builds: `npm run bench -- startup ./call.mjs`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import {
  installPeers,
  peerFile,
  printTable,
  type Spread,
  showSpread,
  spreadOf,
} from "./measure.ts";

/** Largest ratio of our time to that of the quickest SDK of a paid job API. */
const maxRatioToRunway = 1.15;

/** Largest ratio of the time that `import` adds to the time that `require` adds. */
const maxRatioToRequire = 1.2;

const warmUpRounds = 3;
const rounds = 25;

interface Contender {
  readonly name: string;
  /** The script and the name of its program, which calls the server at the next argument. */
  readonly args: readonly string[];
}

const peer = (name: string, program: string, file = "first-call.mjs"): Contender => ({
  name,
  args: [peerFile(file), program],
});
const own = (name: string, program: "call" | "load", file = "first-call.mjs"): Contender => ({
  name,
  args: [join(import.meta.dirname, file), program],
});

const nothing = peer("no client, no call", "nothing");
const rawFetch = peer("fetch", "fetch");
const runway = peer("@runwayml/sdk", "runway");
const runwayRequired = peer("@runwayml/sdk, by require", "runway", "first-call.cjs");
const ours = own("adgen-sdk", "call");
const oursRequired = own("adgen-sdk, by require", "call", "first-call.cjs");
const imported = own("adgen-sdk, imported, no call", "load");
const required = own("adgen-sdk, required, no call", "load", "first-call.cjs");

const contenders: readonly Contender[] = [
  nothing,
  rawFetch,
  ours,
  oursRequired,
  imported,
  required,
  runway,
  runwayRequired,
  peer("ky", "ky"),
  peer("ky and zod/mini", "ky-zod-mini"),
  peer("replicate", "replicate"),
  peer("@fal-ai/client", "fal"),
  peer("openai", "openai"),
  ...process.argv.slice(2).map((path) => ({ name: path, args: [resolve(path)] })),
];

const job = {
  job_id: "job_1",
  status: "completed",
  action: "generate-ad",
  created_at: "2026-01-01T00:00:00Z",
  result: {},
};
const answer = JSON.stringify({ success: true, data: job, error: null });

/** Milliseconds from the start of a process to its end. */
const timeProcess = async ({ name, args }: Contender, url: string): Promise<number> => {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...args, url], {
    // Variables that npm sets could slow a program down.
    env: { PATH: process.env["PATH"] },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return performance.now() - startedAt;
};

const measure = async (url: string): Promise<Map<Contender, Spread>> => {
  const times = new Map<Contender, number[]>(contenders.map((contender) => [contender, []]));
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    for (const [contender, taken] of times) {
      const ms = await timeProcess(contender, url);
      if (round >= 0) taken.push(ms);
    }
  }
  return new Map([...times].map(([contender, taken]) => [contender, spreadOf(taken)]));
};

installPeers();
const server = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(answer);
});
await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
console.log(`${contenders.length} programs, each started ${rounds} times after a warm-up …\n`);
const spreads = await measure(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
server.close();

const medianOf = (contender: Contender): number => spreads.get(contender)?.median ?? Number.NaN;
const timesThatOf = (contender: Contender, other: Contender): string =>
  `${(medianOf(contender) / medianOf(other)).toFixed(2)}×`;

printTable(
  ["program", "median", "to fetch", "to @runwayml/sdk", "quartiles"],
  [...spreads].map(([contender, spread]) => [
    contender.name,
    `${spread.median.toFixed(1)} ms`,
    timesThatOf(contender, rawFetch),
    timesThatOf(contender, runway),
    `${showSpread(spread, 1)} ms`,
  ]),
);

const addedBy = (contender: Contender): number => medianOf(contender) - medianOf(nothing);
const importRatio = addedBy(imported) / addedBy(required);

const limits = [
  {
    what: "Import and first call, against @runwayml/sdk",
    ratio: medianOf(ours) / medianOf(runway),
    limit: maxRatioToRunway,
  },
  { what: "Import, against require", ratio: importRatio, limit: maxRatioToRequire },
];
console.log();
for (const { what, ratio, limit } of limits) {
  console.log(`${ratio <= limit ? "ok " : "BAD"} ${what}: ${ratio.toFixed(2)}× (limit ${limit}×)`);
}
process.exitCode = limits.every(({ ratio, limit }) => ratio <= limit) ? 0 : 1;
