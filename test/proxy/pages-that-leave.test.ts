import { createClient, UnauthorizedError } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { dataOf, openProxy, submissionOf } from "./proxy-under-test.ts";

const body = { action: "generate-ad", prompt: "Sale" };

/** The bytes of a submission, as a browser writes them. */
const bytesOf = (callId: string): string => {
  const text = JSON.stringify(body);
  const headers = [`Idempotency-Key: ${callId}`, "Content-Type: application/json"];
  const first = ["POST /adgen/v1/jobs HTTP/1.1", "Host: page.test", "X-Owner: ann"];
  return [...first, ...headers, `Content-Length: ${text.length}`, "", text].join("\r\n");
};

describe("a page that resets its connection and submits again", () => {
  test("at any moment gets one job each time", async () => {
    const { service, dial, submit } = await openProxy();
    let jobs = 0;
    for (let at = 4; at <= 100; at += 4) {
      const callId = `call-${at}`;
      const bytes = bytesOf(callId);
      const part = bytes.slice(0, Math.ceil((bytes.length * at) / 100));
      for (const end of ["resetAndDestroy", "destroy"] as const) {
        const socket = dial();
        socket.write(part, () => socket[end]());
      }
      expect((await submit("ann", {}, callId)).status).toBe(202);
      expect(service.sent("POST")).toHaveLength(++jobs);
    }
  });

  test("while the service works does not cut it, and is answered by that very submission", async () => {
    const { service, dial, submit, list, events } = await openProxy();
    const held = service.hold();
    const socket = dial();
    socket.write(bytesOf("call-1"));
    await held.begun;
    socket.resetAndDestroy();
    const again = submit("ann", {}, "call-1");
    await new Promise((soon) => setTimeout(soon, 20));
    expect([service.cuts(), events]).toEqual([0, []]);
    held.open();
    expect(dataOf(await again).data).toMatchObject({ job_id: "job-1" });
    expect(service.sent("POST")).toHaveLength(1);
    expect(events.map(({ repeated }) => repeated).sort()).toEqual([false, true]);
    expect(await list("ann")).toEqual(["job-1"]);
  });
});

describe("a page that goes away in the middle of a submission", () => {
  test("gets its answer when the platform's waitUntil throws", async () => {
    const { proxy, service, errors } = await openProxy();
    const error = new Error("outside of a request");
    const waitUntil = () => {
      throw error;
    };
    expect((await proxy(submissionOf(), { waitUntil })).status).toBe(202);
    expect(service.charges).toHaveLength(1);
    expect(errors).toEqual([{ part: "proxy", error }]);
  });
});

test("a page whose session ends before it repeats its request hears that its job may be paid", async () => {
  const owners = ["ada"];
  const { proxy, service } = await openProxy({ authorize: () => owners.shift() });
  const { jobs } = createClient({
    ...{ baseUrl: "https://shop.test/adgen", apiKey: null, callIds: true },
    // The answer is lost, and the browser sends the request once more.
    async fetch(request) {
      await proxy(request.clone());
      return proxy(request);
    },
  });
  const error: unknown = await jobs.submit({ action: "generate-ad" }).catch(Object);
  expect(error).toBeInstanceOf(UnauthorizedError);
  expect(error).toMatchObject({ status: 401, outcome: "unknown" });
  expect(service.charges).toHaveLength(1);
});
