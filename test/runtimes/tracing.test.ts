import { beforeAll, expect, test } from "vitest";
import { queued, success } from "../helpers/answers.ts";
import { listen } from "../helpers/http-server.ts";
import { bundleProgram, findOthers, folder, runProgram } from "./other-runtimes.ts";

let program: string;
beforeAll(async () => {
  const entry = `${import.meta.dirname}/trace-in-process.ts`;
  program = await bundleProgram(entry, `${folder}/trace.mjs`);
});

const node = { name: "Node", path: process.execPath, run: [] };

test.each([node, ...findOthers()])("$name tells tracers of calls and waits", async (runtime) => {
  const done = success({ job_id: "job_2", status: "completed" });
  const server = await listen(queued("job_1"), done);
  const printed = await runProgram(runtime.path, [...runtime.run, program, server.url]);
  expect(JSON.parse(/^\[.*\]$/m.exec(printed)?.[0] ?? "")).toEqual([
    "submit start",
    "submit end job_1",
    "wait start",
    "poll start",
    "poll end job_2",
    "wait end job_2",
  ]);
});
