import { describe, expect, test } from "vitest";
import { streamOf } from "../helpers/calls.ts";
import { dataOf, failureOf, openProxy, perDay, submissionOf } from "./proxy-under-test.ts";

const json = '{"action":"generate-ad","prompt":"Sale"}';

test("the service gets exactly the body that was checked and counted", async () => {
  const { ask, make, service, used } = await openProxy(perDay({ imageCredits: 5 }));
  const [mine, others] = [await make("ann"), await make("eve")];
  const send = async (members: string) => {
    const body = `{"action":"generate-ad",${members}}`;
    return (await ask("ann", { method: "POST", body })).status;
  };
  const sent = () => service.received.at(-1)?.body;
  expect(
    await send(`"variations":10,"variations":1,"brand_id":"${others}","brand_id":"${mine}"`),
  ).toBe(202);
  expect(sent()).toBe(`{"action":"generate-ad","variations":1,"brand_id":"${mine}"}`);
  expect(await send('"variations":1,"variations":5')).toBe(402);
  expect(await used()).toEqual([1]);
});

test("the proxy reads a body with any characters, in pieces of one byte, or with a byte order mark", async () => {
  const { proxy, submit, ask, service } = await openProxy();
  const odd = {
    prompt: 'Zo\u00EB \u{1F600} \u2028 "\\ \0 <script> \u202E',
    deep: [{ a: [null, 1.5, true, -0.001, 1e21] }],
    signs: '",[{}]\\'.repeat(150_000),
    end: "\\",
  };
  expect((await submit("ann", odd)).status).toBe(202);
  const text = '{"action":"generate-ad","prompt":"Zo\u00EB \u{1F600}"}';
  const body = streamOf(Array.from(Buffer.from(text), (byte) => Uint8Array.of(byte)));
  expect((await proxy(submissionOf(undefined, { body, duplex: "half" }))).status).toBe(202);
  expect((await ask("ann", { method: "POST", body: `\uFEFF${json}` })).status).toBe(202);
  const [first, ...others] = service.sent("POST").map(({ body }) => body);
  expect(JSON.parse(first ?? "")).toEqual({ action: "generate-ad", ...odd });
  expect(others).toEqual([text, json]);
});

/** The bytes of a submission, with these headers more, as a browser writes them. */
const head = (...more: readonly string[]): string =>
  ["POST /adgen/v1/jobs HTTP/1.1", "Host: page.test", "X-Owner: ann"]
    .concat("Content-Type: application/json", more, "", "")
    .join("\r\n");

describe("a body that is too large", () => {
  test("the proxy refuses a body that is too large by its content-length, before it reads a byte", async () => {
    const { dial, service } = await openProxy({ maxRequestBytes: 1_000 });
    const { socket, said } = dial();
    socket.write(head("Content-Length: 100000000000"));
    expect(await said).toMatch(/^HTTP\/1\.1 413 /);
    expect(service.received).toHaveLength(0);
  });

  test("the proxy refuses a body without an end while it arrives", async () => {
    const { dial, service } = await openProxy({ maxRequestBytes: 100_000 });
    const { socket, said } = dial();
    socket.write(head("Transfer-Encoding: chunked"));
    let isAnswered = false;
    void said.then(() => {
      isAnswered = true;
    });
    const piece = `10000\r\n${" ".repeat(0x10000)}\r\n`;
    let sent = 0;
    while (!isAnswered && sent < 200 && !socket.destroyed) {
      sent++;
      await new Promise((written) => socket.write(piece, written));
      await new Promise((soon) => setImmediate(soon));
    }
    expect(await said).toMatch(/^HTTP\/1\.1 413 /);
    expect(sent).toBeLessThan(200);
    expect(service.received).toHaveLength(0);
  });

  test("the proxy takes a body of exactly maxRequestBytes, and refuses one more byte", async () => {
    const { submit, service } = await openProxy({ maxRequestBytes: 2_000 });
    const around = JSON.stringify({ action: "generate-ad", prompt: "" }).length;
    const prompt = "x".repeat(2_000 - around);
    expect((await submit("ann", { prompt })).status).toBe(202);
    const refused = failureOf(await submit("ann", { prompt: `${prompt}x` }));
    expect(refused).toMatchObject({ status: 413, outcome: "refused", data: null });
    // A letter of two bytes counts as two.
    expect((await submit("ann", { prompt: `${prompt.slice(1)}\u00EB` })).status).toBe(413);
    expect(service.charges).toHaveLength(1);
  });
});

describe("a body that is slow", () => {
  test("a body that its page cuts off makes no job", async () => {
    const { dial, service, events, statusOf } = await openProxy();
    const { socket } = dial();
    socket.end(head("Content-Length: 100") + json).resume();
    await new Promise((closed) => socket.once("close", closed));
    expect(await statusOf("ann", "/v1/jobs")).toBe(200);
    expect(service.sent("POST")).toEqual([]);
    expect(events.every(({ status, method }) => method === "GET" || status >= 400)).toBe(true);
  });
});

describe("a page that resets its connection and submits again", () => {
  const bytesOf = (callId: string) =>
    head(`Idempotency-Key: ${callId}`, `Content-Length: ${json.length}`) + json;

  test("a page that resets its connection at any moment and submits again gets one job", async () => {
    const { service, dial, submit } = await openProxy();
    let jobs = 0;
    for (let at = 4; at <= 100; at += 4) {
      const bytes = bytesOf(`call-${at}`);
      const part = bytes.slice(0, Math.ceil((bytes.length * at) / 100));
      for (const end of ["resetAndDestroy", "destroy"] as const) {
        const { socket } = dial();
        socket.write(part, () => socket[end]());
      }
      expect((await submit("ann", {}, `call-${at}`)).status).toBe(202);
      expect(service.sent("POST")).toHaveLength(++jobs);
    }
  });

  test("a page that resets its connection while the service works gets the answer when it submits again", async () => {
    const { service, dial, submit, list, events } = await openProxy();
    const held = service.hold();
    const { socket } = dial();
    socket.write(bytesOf("call-1"));
    await held.begun;
    socket.resetAndDestroy();
    const again = submit("ann", {}, "call-1");
    await new Promise((soon) => setTimeout(soon, 20));
    expect(events).toEqual([]);
    held.open();
    expect(dataOf(await again).data).toMatchObject({ job_id: "job-1" });
    expect(service.sent("POST")).toHaveLength(1);
    expect(events.map(({ repeated }) => repeated).sort()).toEqual([false, true]);
    expect(await list("ann")).toEqual(["job-1"]);
  });
});
