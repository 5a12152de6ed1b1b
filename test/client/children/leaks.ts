// Makes many calls on one signal, and prints what they leave behind. Needs --expose-gc.
import { getEventListeners } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient, toResult } from "../../../src/index.ts";

const { gc } = globalThis;
if (gc === undefined) throw new Error("Run this with --expose-gc.");

/** Each call meets the next of these. */
const answers: [number, string][] = [
  [200, '{"success":true,"data":{"job_id":"j","status":"queued"},"error":null}'],
  [404, '{"success":false,"data":null,"error":"no"}'],
  [200, "<html>"],
  [503, ""],
];
let count = 0;
const server = createServer((_, response) => {
  const [status, body] = answers[count++ % answers.length] ?? [500, ""];
  response.writeHead(status).end(body);
});
await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
const { port } = server.address() as AddressInfo;
const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey: "test-key" });

// A retry comes at once.
Math.random = () => 0;

const { signal } = new AbortController();
let most = 0;

const call = async (times: number): Promise<void> => {
  for (let n = 0; n < times; n++) {
    await toResult(client.jobs.get("j", { signal }));
    most = Math.max(most, getEventListeners(signal, "abort").length);
  }
};

const concurrency = 20;
const callAll = async (times: number): Promise<void> => {
  await Promise.all(Array.from({ length: concurrency }, () => call(times / concurrency)));
};

const heapBytes = async (): Promise<number> => {
  for (let round = 0; round < 5; round++) {
    gc();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return process.memoryUsage().heapUsed;
};

await callAll(1_000);
const before = await heapBytes();
await callAll(Number(process.argv[2]));
const grownBytes = (await heapBytes()) - before;

const timers = process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
const listeners = getEventListeners(signal, "abort").length;
server.close();
server.closeAllConnections();
console.log(JSON.stringify({ requests: count, most, listeners, timers, grownBytes }));
