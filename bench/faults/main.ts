/**
 * `npm run bench -- faults` plays faults to paying clients. Each client makes its own paid call to
 * a stub, with its defaults. `-- --write` writes the tables of "How it compares". The bench exits
 * with 1 when adgen-sdk pays twice, does not end, believes a wrong answer or shows its key.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createClient } from "adgen-sdk";
import { installPeers, peerFile } from "../measure.ts";
import { benchFaults } from "./faults.ts";
import { failuresOf, type Played, writeTables } from "./page.ts";
import { type Contender, playFault } from "./play.ts";

const envelope = (data: object): object => ({ success: true, data, error: null });

const ownContender: Contender = {
  name: "adgen-sdk",
  call: "jobs.submit",
  paid: envelope({ job_id: "job_1", status: "queued" }),
  read: envelope({ job_id: "job_1", status: "processing" }),
  create: ({ url, key }) => {
    const client = createClient({ baseUrl: url, apiKey: key });
    return {
      client,
      pay: (signal) =>
        client.jobs.submit({ action: "generate-ad", prompt: "Lemonade" }, signal && { signal }),
      get: (id) => client.jobs.get(id),
    };
  },
};

const page = "docs/guides/comparison.md";

const { values } = parseArgs({
  options: {
    write: { type: "boolean", default: false },
    /** Longer than any call of our client, and than two attempts of Stripe's, 80 seconds each. */
    seconds: { type: "string", default: "200" },
  },
});
const limitSeconds = Number(values.seconds);

// A connection may break after its call has ended. Nobody catches that error.
process.on("uncaughtException", () => {});

installPeers();
const { contenders }: { contenders: readonly Contender[] } = await import(peerFile("faults.mjs"));

const { version } = JSON.parse(readFileSync("package.json", "utf8"));
const { dependencies } = JSON.parse(readFileSync(peerFile("package.json"), "utf8"));

console.error(`${benchFaults.length} faults, at most ${limitSeconds} s …`);
/** All calls run at once, because they wait nearly all of the time. */
const played: Played[] = await Promise.all(
  [ownContender, ...contenders].map(async (contender) => ({
    name: contender.name,
    version: contender === ownContender ? version : dependencies[contender.name],
    call: contender.call,
    endings: await Promise.all(
      benchFaults.map((fault) => playFault(contender, fault, limitSeconds * 1_000)),
    ),
  })),
);

const date = new Date().toISOString().slice(0, 10);
const node = process.versions.node;
const written = writeTables(readFileSync(page, "utf8"), { date, node, limitSeconds, played });
if (values.write) writeFileSync(page, written);
else console.log(written.slice(written.indexOf("Written by")));

const failures = failuresOf(played[0] ?? { name: "", version: "", call: "", endings: [] });
console.log(`adgen-sdk failed in ${failures} of ${benchFaults.length} faults.`);
// Calls that never end would keep the process alive.
process.exit(failures === 0 ? 0 : 1);
