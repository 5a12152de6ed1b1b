import { describe, expect, test } from "vitest";
import { failure, reset } from "../helpers/answers.ts";
import type { Fault } from "./fake-service.ts";
import { failureOf, gate, openProxy, sameOf } from "./proxy-under-test.ts";

const methods = ["PATCH", "DELETE"] as const;

/** A proxy, and a brand of Ann's to change by calls that have an id. */
const withBrand = async () => {
  const stage = await openProxy();
  const brand = await stage.make("ann", "/v1/brands", { name: "Mine" });
  const change = (method: string, callId: string, body: object = { name: "New" }, id = brand) =>
    stage.ask("ann", {
      ...{ method, path: `/v1/brands/${id}`, headers: { "idempotency-key": callId } },
      ...(method === "PATCH" && { body }),
    });
  const sent = (method: string) =>
    stage.service.received.filter((request) => request.method === method).length;
  return { ...stage, brand, change, sent };
};

describe("a change with the same call id", () => {
  test.each(methods)("is made once, and its repeat gets the same answer: %s", async (method) => {
    const { change, sent, events } = await withBrand();
    const first = await change(method, "call-1");
    expect(first.status).toBe(200);
    for (let repeat = 0; repeat < 2; repeat++) {
      expect(sameOf(await change(method, "call-1"))).toEqual(sameOf(first));
    }
    expect(sent(method)).toBe(1);
    expect(events.slice(1).map(({ repeated }) => repeated)).toEqual([false, true, true]);
    // Another call is another change, and the brand may be gone.
    const { status } = await change(method, "call-2");
    expect(status).toBe(method === "PATCH" ? 200 : 404);
  });

  test.each(methods)("is made once for two at a time: %s", async (method) => {
    const { change, sent, service } = await withBrand();
    const held = gate();
    service.play({ until: held.promise });
    const both = [change(method, "call-1"), change(method, "call-1")];
    await expect.poll(() => sent(method)).toBe(1);
    held.open();
    const [first, second] = await Promise.all(both);
    expect(first && sameOf(first)).toEqual(second && sameOf(second));
    expect(sent(method)).toBe(1);
  });

  test("and another body, another brand or another method is refused", async () => {
    const { change, sent, make } = await withBrand();
    await change("PATCH", "call-1");
    const other = await make("ann", "/v1/brands", { name: "Other" });
    const refusals = [
      await change("PATCH", "call-1", { name: "Newer" }),
      await change("PATCH", "call-1", { name: "New" }, other),
      await change("DELETE", "call-1"),
    ];
    for (const refusal of refusals) {
      expect(failureOf(refusal)).toMatchObject({ status: 409, outcome: "refused" });
    }
    expect([sent("PATCH"), sent("DELETE")]).toEqual([1, 0]);
  });

  const refusals = [400, 402, 404] as const;
  test.each(refusals)("that was refused with %i is not made by its repeat", async (status) => {
    for (const method of methods) {
      const { change, sent, service } = await withBrand();
      service.play({ answer: failure(status) });
      const first = await change(method, "call-1");
      expect(failureOf(first)).toMatchObject({ status, outcome: "refused" });
      expect(sameOf(await change(method, "call-1"))).toEqual(sameOf(first));
      expect(sent(method)).toBe(1);
    }
  });

  test("that is no deletion and ended unknown is not sent again", async () => {
    const { change, sent, service } = await withBrand();
    service.play({ answer: reset, charges: true });
    const first = await change("PATCH", "call-1");
    expect(failureOf(first)).toMatchObject({ status: 502, outcome: "unknown" });
    expect(sameOf(await change("PATCH", "call-1"))).toEqual(sameOf(first));
    expect(sent("PATCH")).toBe(1);
  });

  const ends: [what: string, faults: Fault[], status: number, outcome: string | undefined][] = [
    ["is sent again", [{ answer: failure(503) }], 200, undefined],
    ["is never refused", [{ answer: reset, charges: true }], 404, "unknown"],
    ["is never refused by 429", [{ answer: reset }, { answer: failure(429) }], 429, "unknown"],
    ["stays unknown", [{ answer: reset }, { answer: failure(500) }], 500, "unknown"],
  ];
  test.each(ends)("that is a deletion and ended unknown %s", async (_, faults, ...end) => {
    const { change, sent, service } = await withBrand();
    service.play(...faults);
    expect(failureOf(await change("DELETE", "call-1"))).toMatchObject({ outcome: "unknown" });
    const { status, outcome } = failureOf(await change("DELETE", "call-1"));
    expect([status, outcome]).toEqual(end);
    expect(sent("DELETE")).toBe(2);
  });
});
