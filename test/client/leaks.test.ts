import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, onTestFinished } from "vitest";
import { toResult } from "../../src/client/index.ts";
import { clientOf, pause } from "../helpers/client.ts";

/** `npm run test:slow` makes more. */
const calls = Number(process.env["LEAK_CALLS"] ?? 1_800);
const concurrency = 20;
const warmUp = 500;
/** A leak grows in each round. What V8 compiles or keeps for later doesn't. */
const rounds = 3;

/** The calls get these responses in turn. */
const answers: [number, string][] = [
  [200, '{"success":true,"data":{"job_id":"j","status":"queued"},"error":null}'],
  [404, '{"success":false,"data":null,"error":"no"}'],
  [200, "<html>"],
  [503, ""],
];

/** Counts the timers that are set, and the bytes in use. */
const measure = async () => {
  for (let round = 0; round < 5; round++) {
    globalThis.gc?.();
    await pause(20);
  }
  const timers = process.getActiveResourcesInfo().filter((name) => name === "Timeout");
  return { timers: timers.length, bytes: process.memoryUsage().heapUsed };
};

it(`${calls} calls on one signal leave no listener, no timer and a flat heap`, async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    const [status, body] = answers[requests++ % answers.length] ?? [500, ""];
    response.writeHead(status).end(body);
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { random } = Math;
  Math.random = () => 0; // a retry comes at once
  onTestFinished(() => {
    Math.random = random;
    server.close();
  });
  const { jobs } = clientOf({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
  const { signal } = new AbortController();
  const listeners = () => getEventListeners(signal, "abort").length;
  let most = 0;
  const call = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n++) {
      await toResult(jobs.get("j", { signal }));
      most = Math.max(most, listeners());
    }
  };
  const callAll = (times: number) =>
    Promise.all(Array.from({ length: concurrency }, () => call(times / concurrency)));

  await callAll(warmUp);
  const measured = [await measure()];
  for (let round = 0; round < rounds; round++) {
    await callAll(calls / rounds);
    measured.push(await measure());
  }
  const growth = measured.slice(1).map(({ bytes }, round) => bytes - (measured[round]?.bytes ?? 0));

  expect(requests).toBeGreaterThan(calls + warmUp);
  expect([listeners(), measured.at(-1)?.timers]).toEqual([0, 0]);
  // Each call under way has one listener.
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(concurrency);
  // A call that leaks anything leaks more than 200 bytes.
  expect(Math.min(...growth)).toBeLessThan((calls / rounds) * 200);
});
