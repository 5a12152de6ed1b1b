import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { queued } from "../helpers/answers.ts";
import { listen } from "../helpers/http-server.ts";
import { bundleChild } from "../submissions/kill-process.ts";

const execute = promisify(execFile);

test("four processes that submit 200 jobs at once on one file get exactly the 20 of the limit", {
  timeout: 60_000,
}, async () => {
  const program = await bundleChild("submissions/children/submit-through-proxy");
  let count = 0;
  const service = await listen((response, request) => queued(`job-${++count}`)(response, request));
  const words = [program, `${program}.store`, service.url, "50", "20"];

  const printed = await Promise.all([1, 2, 3, 4].map(() => execute(process.execPath, words)));

  const told = printed.map(({ stdout }) => JSON.parse(stdout));
  expect(told.flatMap(({ failures }) => failures)).toEqual([]);
  const statuses: number[] = told.flatMap((one) => one.statuses);
  // 402 is what the proxy answers when a limit is reached.
  expect(statuses.toSorted()).toEqual([...Array(20).fill(202), ...Array(180).fill(402)]);
  expect(service.received).toHaveLength(20);
  expect(printed.map(({ stderr }) => stderr)).toEqual(["", "", "", ""]);
});
