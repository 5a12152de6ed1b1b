import { spawn } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { describe, expect, test } from "vitest";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import { queued } from "../helpers/answers.ts";
import { clientOf } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { runtimes } from "../runtimes/programs.ts";
import { openStore, storePath, useFolders } from "./file-stores.ts";
import { bundleChild, listenCharging, runUntilKilled } from "./killed-processes.ts";

useFolders();

/** `npm run test:slow` kills 400 processes for each row, in each runtime. */
const kills = Number(process.env["CRASH_RUNS"] ?? 8);
const isLong = kills > 8;

describe.each(isLong ? runtimes : runtimes.slice(0, 1))("$name", ({ path, runWithPackages }) => {
  test.each(isLong ? [2, 4] : [2])(
    "killing any of %i processes on one file loses no job, and pays for none twice",
    { timeout: 1_800_000 },
    async (lanes) => {
      const script = await bundleChild("submissions/children/submit-until-killed");
      const { url, charged, counts, problems } = await listenCharging();
      let killed = 0;
      /** On a busy machine, many processes are killed before their first request. */
      const hasMetEnough = (): boolean =>
        Math.min(charged.length, counts.recoveries, counts.unknown) > kills / 6;
      const runLane = async (lane: number): Promise<void> => {
        while (killed < kills || !hasMetEnough()) {
          const args = [script, "file", `${script}.store`, url, `${lane}-${++killed}`];
          await runUntilKilled([...runWithPackages, ...args], { runtime: path });
        }
      };

      await Promise.all(Array.from({ length: lanes }, (_, lane) => runLane(lane)));

      expect(problems).toEqual([]);
      if (isLong) console.log(`${lanes} processes, ${killed} kills: ${JSON.stringify(counts)}`);
    },
  );
});

test.each([1, 8])(
  "a copy after a kill pays again for fewer than the %i orders that were under way",
  { timeout: 60_000 },
  async (atOnce) => {
    const program = await bundleChild("submissions/children/submit-and-die");
    const paid: string[] = [];
    const service = await listen((response, request) => {
      paid.push(JSON.parse(request.body).prompt);
      queued(`job-${paid.length}`)(response, request);
    });
    const words = [program, storePath, service.url, "20", String(atOnce)];
    const child = spawn(process.execPath, words, { stdio: "inherit" });
    expect(await once(child, "close")).toEqual([null, "SIGKILL"]);
    const before = paid.length;
    expect(before).toBeGreaterThanOrEqual(20);
    fs.copyFileSync(storePath, `${storePath}-copy`);

    const submissions = createSubmissions(await openStore(`${storePath}-copy`));
    const client = clientOf(service, { submissions });
    const submit = (id: string) =>
      client.jobs.submit({ action: "generate-ad", prompt: id }, { once: id });
    const again = await Promise.allSettled([...paid].map(submit));
    // In a burst, the file lags behind its log by a few writes.
    expect(paid.slice(before).length).toBeLessThan(atOnce);
    const codes = again.map((one) => (one.status === "rejected" ? one.reason.code : "job"));
    // The answers of the last orders may not be in the file yet. They are in doubt.
    expect(codes.filter((code) => code === "in_doubt").length).toBeLessThanOrEqual(atOnce);
    expect(codes.filter((code) => code !== "in_doubt" && code !== "job")).toEqual([]);
  },
);
