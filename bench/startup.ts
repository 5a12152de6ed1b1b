/**
 * `npm run bench -- startup`: how long a process takes that imports a client, makes one call and ends.
 * Command-line tools and serverless functions pay this each time. Whole processes are started in
 * turn, so that whatever else the machine does meets all of them alike.
 * Further scripts may be named, to compare builds: `npm run bench -- startup ./call.mjs`.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { type Spread, showSpread, spreadOf } from "./measure.ts";
import { installPeers, peerFile } from "./peers.ts";
import { printTable } from "./table.ts";

/** Largest ratio of our time to that of the quickest SDK of a paid job API. */
const maxRatioToRunway = 1.15;

/** Largest ratio of what importing the ES module adds to what requiring the CommonJS file adds. */
const maxRatioToRequire = 1.2;

const warmUpRounds = 3;
const rounds = 25;

interface Contender {
  readonly name: string;
  /** Makes one call to the server whose address is its argument. */
  readonly script: string;
}

const peer = (name: string, file: string): Contender => ({
  name,
  script: peerFile(`first-call/${file}`),
});
const own = (name: string, file: string): Contender => ({
  name,
  script: join(import.meta.dirname, "first-call", file),
});

const nothing = peer("no client, no call", "nothing.mjs");
const rawFetch = peer("fetch", "fetch.mjs");
const runway = peer("@runwayml/sdk", "runway.mjs");
const runwayRequired = peer("@runwayml/sdk, by require", "runway-require.cjs");
const ours = own("adgen-sdk", "adgen-sdk.mjs");
const oursRequired = own("adgen-sdk, by require", "adgen-sdk-require.cjs");
const imported = own("adgen-sdk, imported, no call", "import-alone.mjs");
const required = own("adgen-sdk, required, no call", "require-alone.cjs");

const contenders: readonly Contender[] = [
  nothing,
  rawFetch,
  ours,
  oursRequired,
  imported,
  required,
  runway,
  runwayRequired,
  peer("ky", "ky.mjs"),
  peer("ky and zod/mini", "ky-zod-mini.mjs"),
  peer("replicate", "replicate.mjs"),
  peer("@fal-ai/client", "fal.mjs"),
  peer("openai", "openai.mjs"),
  ...process.argv.slice(2).map((path) => ({ name: path, script: resolve(path) })),
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
const timeProcess = async ({ name, script }: Contender, url: string): Promise<number> => {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [script, url], {
    // What npm sets does not slow the one or the other down.
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
