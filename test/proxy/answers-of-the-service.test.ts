import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, test } from "vitest";
import { markAsNotSent } from "../../src/index.ts";
import { drip, failure, hangUp, raw, reset, silence, success } from "../helpers/answers.ts";
import type { Fault } from "./fake-service.ts";
import { dataOf, failureOf, openProxy, sameOf } from "./proxy-under-test.ts";

const charges = true;

describe("an answer of the service to a submission", () => {
  const rows: [what: string, fault: Fault, status: number, outcome: string][] = [
    ["400", { answer: failure(400, "Bad size") }, 400, "refused"],
    ["401", { answer: failure(401, "Invalid API key") }, 502, "refused"],
    ["404", { answer: failure(404, "No model") }, 404, "refused"],
    ["500", { answer: failure(500, "x"), charges }, 500, "unknown"],
    [
      "503 that asks to wait",
      { answer: failure(503, "x", { "retry-after": "5" }), charges },
      503,
      "unknown",
    ],
    ["reset before the body was read", { answer: reset, isUnread: true }, 502, "unknown"],
    ["hang-up", { answer: hangUp, charges }, 502, "unknown"],
    ["HTML page of a 500", { answer: raw(500, "<html>nginx"), charges }, 500, "unknown"],
    ["204", { answer: raw(204), charges }, 502, "unknown"],
    ["job without an id", { answer: success({ status: "queued" }, 202), charges }, 502, "unknown"],
    ["huge answer", { edit: (text) => text.replace("queued", "x".repeat(70_000)) }, 502, "unknown"],
  ];
  test.each(rows)(
    "%s is told, and repeated without another POST",
    async (_, fault, status, outcome) => {
      const { submit, service } = await openProxy({ maxResponseBytes: 65_536 });
      service.play(fault);
      const first = await submit("ann", {}, "call-1");
      expect(failureOf(first)).toEqual({
        ...{ status, outcome, success: false, data: null },
        error: expect.any(String),
      });
      for (let repeat = 0; repeat < 2; repeat++) {
        expect(sameOf(await submit("ann", {}, "call-1"))).toEqual(sameOf(first));
      }
      expect(service.arrivals()).toBe(1);
    },
  );

  test("that is silence, or drips, ends in its time, and is told as unknown", async () => {
    const { submit, service } = await openProxy({ timeoutMs: 1_500 });
    service.play({ answer: silence, charges }, { answer: silence, isUnread: true });
    service.play({ answer: drip(202), charges });
    const ids = ["call-1", "call-2", "call-3"];
    const submitAll = () => Promise.all(ids.map((callId) => submit("ann", {}, callId)));
    const answers = await submitAll();
    for (const answer of answers) {
      expect(failureOf(answer)).toMatchObject({ status: 502, outcome: "unknown", success: false });
    }
    expect((await submitAll()).map(sameOf)).toEqual(answers.map(sameOf));
    expect(service.arrivals()).toBe(3);
  });

  test("that never came, because nobody was there, may be tried again", async () => {
    const nobody = createServer();
    await new Promise<void>((listening) => nobody.listen(0, "127.0.0.1", listening));
    const { port } = nobody.address() as AddressInfo;
    await new Promise((closed) => nobody.close(closed));
    const { submit } = await openProxy({ baseUrl: `http://127.0.0.1:${port}` });
    for (let attempt = 0; attempt < 2; attempt++) {
      const answered = await submit("ann", {}, "call-1");
      expect(failureOf(answered)).toMatchObject({ status: 502, outcome: "not-sent" });
      expect(answered.body).not.toMatch(new RegExp(`127\\.0\\.0\\.1|${port}|ECONN`));
    }
  });

  test("is believed to be none when the fetch of the options says so", async () => {
    let isUp = false;
    const { submit, service } = await openProxy({
      fetch: async (request) => {
        if (isUp) return fetch(request);
        throw markAsNotSent(new Error("the tunnel is closed"));
      },
    });
    expect(failureOf(await submit("ann", {}, "call-1"))).toMatchObject({ outcome: "not-sent" });
    isUp = true;
    expect((await submit("ann", {}, "call-1")).status).toBe(202);
    expect(service.charges).toHaveLength(1);
  });

  test("whose fetch throws is unknown, and never sent again", async () => {
    let calls = 0;
    const { submit } = await openProxy({
      fetch: async () => {
        calls++;
        throw Object.assign(new Error("refused"), { cause: { code: "ECONNREFUSED" } });
      },
    });
    for (let attempt = 0; attempt < 3; attempt++) {
      expect(failureOf(await submit("ann", {}, "call-1"))).toMatchObject({ outcome: "unknown" });
    }
    expect(calls).toBe(1);
  });
});

describe("an answer that is too deep for JSON", () => {
  const nest = "[".repeat(20_000) + "]".repeat(20_000);
  const deepen = (start: string) => (envelope: string) =>
    envelope.replace(start, `${start}"extra":${nest},`);

  test("to a submission loses no job of its owner", async () => {
    const { service, submit, ask } = await openProxy();
    service.play({ edit: deepen('"data":{') });
    expect(failureOf(await submit("ann", {}, "call-1"))).toMatchObject({ outcome: "unknown" });
    expect(dataOf(await ask("ann")).data["jobs"]).toHaveLength(1);
  });

  test("about a job of another owner spoils no list", async () => {
    const { service, submit, ask } = await openProxy();
    await submit("ann");
    await submit("bob");
    service.play({ edit: deepen('"jobs":[{') });
    const answered = await ask("ann");
    expect(answered.status).toBe(200);
    expect(dataOf(answered).data["jobs"]).toHaveLength(1);
  });
});

describe("a change", () => {
  const rows: [what: string, method: string, fault: Fault, status: number, outcome?: string][] = [
    ["is answered with 204", "DELETE", { answer: raw(204) }, 200],
    ["is answered with 205", "DELETE", { answer: raw(205) }, 200],
    ["meets a reset", "DELETE", { answer: reset }, 502, "unknown"],
    ["meets a 500", "PATCH", { answer: failure(500) }, 500, "unknown"],
    ["meets a 400", "PATCH", { answer: failure(400) }, 400, "refused"],
    [
      "is answered about another brand",
      "PATCH",
      { answer: success({ id: "brand-9" }) },
      502,
      "unknown",
    ],
  ];
  test.each(rows)("that %s", async (_, method, fault, status, outcome) => {
    const { ask, make, service } = await openProxy();
    const path = `/v1/brands/${await make("ann", "/v1/brands", { name: "Mine" })}`;
    service.play(fault);
    const answered = await ask("ann", {
      method,
      path,
      ...(method === "PATCH" && { body: { name: "New" } }),
    });
    expect(failureOf(answered)).toMatchObject({ status, outcome });
    expect(service.arrivals()).toBe(2);
    // A brand that is deleted is nobody's.
    expect((await ask("ann", { path: `${path}/ads` })).status).toBe(status === 200 ? 404 : 200);
  });
});
