// Waits in Cloudflare's runtime, where no request may resume the work of another request.
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { runtimeMissing, workerdPath } from "../../tools/runtimes.ts";
import { success } from "../helpers/answers.ts";
import { guides } from "../helpers/documents.ts";
import { freePort, listen } from "../helpers/http-server.ts";
import { runtimesFolder, sourceAliases } from "./programs.ts";

if (workerdPath === undefined) console.warn(runtimeMissing("workerd"));

/** Number of requests that wait at the same time, each for a job of its own. */
const count = 40;

/** A service on loopback whose jobs complete a second after they are first asked for. */
const startService = () => {
  const ends = new Map<string, number>();
  return listen((response, request) => {
    const id = request.url.split("/").at(-1) ?? "";
    if (!ends.has(id)) ends.set(id, Date.now() + 1_000);
    const status = Date.now() >= Number(ends.get(id)) ? "completed" : "processing";
    success({ job_id: id, status, result: null })(response, request);
  });
};

/** Starts workerd with the worker, and gives its address. */
const startWorker = async (compatibilityDate: string): Promise<string> => {
  const service = await startService();
  const port = await freePort();
  const place = `${runtimesFolder}/workerd-${compatibilityDate}`;
  mkdirSync(place, { recursive: true });
  await build({
    entryPoints: [`${import.meta.dirname}/waits-in-worker.ts`],
    outfile: `${place}/worker.mjs`,
    bundle: true,
    format: "esm",
    target: "es2022",
    conditions: ["workerd", "worker", "browser"],
    alias: sourceAliases,
    define: { serviceUrl: JSON.stringify(service.url) },
  });
  writeFileSync(
    `${place}/config.capnp`,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (
      modules = [(name = "worker", esModule = embed "worker.mjs")],
      compatibilityDate = "${compatibilityDate}",
      globalOutbound = "loopback",
    )),
    (name = "loopback", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")],
);`,
  );
  const child = spawn(String(workerdPath), ["serve", `${place}/config.capnp`], { stdio: "ignore" });
  onTestFinished(() => void child.kill());
  const url = `http://127.0.0.1:${port}`;
  await expect.poll(() => fetch(`${url}/first`).then((r) => r.text())).toBe("completed");
  return url;
};

/** Lets all requests wait, and counts those that saw their job complete within 8 seconds. */
const countCompleted = async (url: string): Promise<number> => {
  const wait = async (_: unknown, index: number): Promise<string> => {
    await new Promise((resolve) => setTimeout(resolve, 10 * index));
    const signal = AbortSignal.timeout(8_000);
    const answered = fetch(`${url}/job_${index}`, { signal });
    return answered.then((response) => response.text()).catch(() => "no answer");
  };
  const ends = await Promise.all(Array.from({ length: count }, wait));
  return ends.filter((end) => end === "completed").length;
};

/** The guide's lowest compatibility date, and the latest date that this workerd knows. */
const dates = [
  guides
    .map(({ text }) => text.match(/(\d{4}-\d\d-\d\d) as compatibility date/)?.[1])
    .find(Boolean),
  workerdPath &&
    execFileSync(workerdPath, ["--version"], { encoding: "utf8" }).match(/[\d-]+/)?.[0],
];

test.skipIf(workerdPath === undefined).each(dates)(
  "forty requests of a worker wait through one client, and all see their jobs complete (%s)",
  async (date = "") => {
    const url = await startWorker(date);
    expect(await countCompleted(url)).toBe(count);
  },
);
