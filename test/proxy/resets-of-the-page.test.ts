import { describe, expect, test } from "vitest";
import { dataOf, gate, openProxy } from "./proxy-under-test.ts";

const body = JSON.stringify({ action: "generate-ad", prompt: "Sale" });

/** The bytes of a submission, as a browser writes them. */
const bytesOf = (callId: string): string =>
  [
    "POST /adgen/v1/jobs HTTP/1.1",
    "Host: page.test",
    "X-Owner: ann",
    `Idempotency-Key: ${callId}`,
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");

describe("a page that resets its connection and submits again", () => {
  test("at any moment gets one job each time", async () => {
    const stage = await openProxy();
    let jobs = 0;
    for (let at = 4; at <= 100; at += 4) {
      const callId = `call-${at}`;
      const bytes = bytesOf(callId);
      const part = bytes.slice(0, Math.ceil((bytes.length * at) / 100));
      for (const end of ["resetAndDestroy", "destroy"] as const) {
        const socket = stage.dial();
        socket.write(part, () => socket[end]());
      }
      expect((await stage.submit("ann", {}, callId)).status).toBe(202);
      expect(stage.service.posts()).toHaveLength(++jobs);
    }
  });

  test("while the service works is answered by that very submission", async () => {
    const stage = await openProxy();
    const { service, submit, events } = stage;
    const held = gate();
    service.play({ until: held.promise });
    const socket = stage.dial();
    socket.write(bytesOf("call-1"));
    await expect.poll(() => service.posts().length).toBe(1);
    socket.resetAndDestroy();
    const again = submit("ann", {}, "call-1");
    const other = submit("ann", {}, "call-1");
    held.open();
    expect(dataOf(await again).data).toMatchObject({ job_id: "job-1" });
    expect((await other).body).toBe((await again).body);
    expect(service.posts()).toHaveLength(1);
    expect(events.map(({ repeated }) => repeated).sort()).toEqual([false, true, true]);
  });

  test("while the answer is written gets that answer", async () => {
    const stage = await openProxy();
    const big = "x".repeat(1_000_000);
    stage.service.play({ edit: (text) => text.replace('"queued"', `"queued","note":"${big}"`) });
    const socket = stage.dial();
    socket.write(bytesOf("call-1"));
    await new Promise((first) => socket.once("data", first));
    socket.resetAndDestroy();
    const again = await stage.submit("ann", {}, "call-1");
    // What is large is not remembered.
    expect(dataOf(again).data).toEqual({
      ...{ job_id: "job-1", status: "queued" },
      ...{ action: "generate-ad", prompt: "Sale" },
    });
    expect(stage.service.posts()).toHaveLength(1);
  });
});

describe("a page that goes away in the middle of a submission", () => {
  test("does not cut it: the job is paid, remembered and listed", async () => {
    const stage = await openProxy();
    const { service, ask, submit, events } = stage;
    const held = gate();
    service.play({ until: held.promise });
    const socket = stage.dial();
    socket.write(bytesOf("call-1"));
    await expect.poll(() => service.posts().length).toBe(1);
    socket.destroy();
    await new Promise((soon) => setTimeout(soon, 20));
    expect(service.cuts()).toBe(0);
    held.open();
    await expect.poll(() => events.length).toBe(1);
    expect(events).toMatchObject([{ owner: "ann", status: 202, repeated: false }]);
    expect(dataOf(await ask("ann")).data).toEqual({
      jobs: [expect.objectContaining({ job_id: "job-1" })],
    });
    expect(dataOf(await submit("ann", {}, "call-1")).data).toMatchObject({ job_id: "job-1" });
    expect(service.posts()).toHaveLength(1);
  });

  test("gets its answer when the platform's waitUntil throws", async () => {
    const waitUntil = () => {
      throw new Error("outside of a request");
    };
    const { proxy, service, errors } = await openProxy();
    const headers = { "x-owner": "ann", "content-type": "application/json" };
    const request = new Request("http://page.test/adgen/v1/jobs", {
      method: "POST",
      ...{ headers, body },
    });
    expect((await proxy(request, { waitUntil })).status).toBe(202);
    expect(service.charges).toHaveLength(1);
    expect(errors).toMatchObject([{ part: "proxy", error: new Error("outside of a request") }]);
  });

  test("hands the work to the platform, which waits for it", async () => {
    const { proxy, service } = await openProxy();
    const waited: Promise<unknown>[] = [];
    const held = gate();
    service.play({ until: held.promise });
    const page = new AbortController();
    const request = new Request("http://page.test/adgen/v1/jobs", {
      method: "POST",
      headers: {
        "x-owner": "ann",
        "idempotency-key": "call-1",
        "content-type": "application/json",
      },
      body,
      signal: page.signal,
    });
    const answer = proxy(request, { waitUntil: (promise) => void waited.push(promise) });
    await expect.poll(() => service.posts().length).toBe(1);
    page.abort();
    held.open();
    await Promise.all(waited);
    expect(waited.length).toBeGreaterThan(0);
    expect((await answer).status).toBe(202);
    expect(service.charges).toHaveLength(1);
  });
});
