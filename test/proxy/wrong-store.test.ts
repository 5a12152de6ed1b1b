import { describe, expect, test } from "vitest";
import { withStore } from "./failing-store.ts";
import { failureOf, openProxy } from "./proxy-under-test.ts";

describe("a store that is out of reach opens no door", () => {
  const odd: [what: string, value: unknown][] = [
    ["nothing that is JSON", "ann"],
    ["an empty text", ""],
    ["null", "null"],
    ["a list", "[]"],
    ["an object", "{}"],
    ["an owner that is none", '{"owner":{"$ne":1},"at":1}'],
    ["a number", 7],
    ["an object of its own", { owner: "eve", at: 1 }],
    ["true", true],
    ["null itself", null],
  ];
  test.each(odd)("when it gives %s", async (_, value) => {
    const { submit, ask, make, service, fail } = await withStore(async ({ step, args, go }) => {
      const isOwner = String(args[0]).startsWith("owner:");
      if (step === "list") return go();
      // As the whole answer of a step, and as the text of the record that it gives.
      return isOwner ? { id: args[0], rev: "1", text: value } : value;
    });
    const brand = await make("ann", "/v1/brands", { name: "Mine" });
    await submit("ann", {}, "call-1");
    const before = service.arrivals();
    fail();
    for (const asked of [
      { path: "/v1/jobs/job-2" },
      { path: `/v1/brands/${brand}/ads` },
      { method: "DELETE", path: `/v1/brands/${brand}` },
      { method: "POST", path: "/v1/saved-ads", body: { brand_id: brand } },
    ]) {
      expect([404, 503]).toContain((await ask("eve", asked)).status);
    }
    expect((await submit("ann", {}, "call-1")).status).toBe(503);
    expect(service.arrivals()).toBe(before);
  });

  const records: [what: string, record: object][] = [
    ["without a status", { answer: { body: "{}", headers: {} } }],
    ["with a status that is none", { answer: { status: 7, body: "{}", headers: {} } }],
    ["with a status without a body", { answer: { status: 204, body: "{}", headers: {} } }],
    ["without a body", { answer: { status: 202, headers: {} } }],
    ["without headers", { answer: { status: 202, body: "{}" } }],
    ["with headers that are none", { answer: { status: 202, body: "{}", headers: ["a"] } }],
    ["with an odd header", { answer: { status: 202, body: "{}", headers: { "a b": "1" } } }],
    ["with an odd value", { answer: { status: 202, body: "{}", headers: { a: "1\n2" } } }],
    ["with a number as value", { answer: { status: 202, body: "{}", headers: { a: 1 } } }],
    ["of another shape", { answer: "202" }],
    ["without an attempt", { attempt: null }],
    ["of a later version", { v: 99 }],
    ["in no state", { state: "odd" }],
  ];
  test.each(records)("when its record of a call is %s", async (_, record) => {
    const { submit, service, memory } = await openProxy();
    await submit("ann", {}, "call-1");
    const entry = memory.callOf("ann", "call-1");
    entry.text = JSON.stringify({ ...JSON.parse(entry.text), ...record });
    const again = failureOf(await submit("ann", {}, "call-1"));
    expect(again).toMatchObject({ status: 503, outcome: "unknown", data: null });
    expect(service.posts()).toHaveLength(1);
  });

  test.each([[undefined], [null], ["OK"], [1], [{}]])("when a step gives %j", async (value) => {
    const { submit, ask, service, fail } = await withStore(() => value);
    fail();
    expect((await submit("ann", {}, "call-1")).status).toBe(503);
    expect((await submit("ann")).status).toBe(503);
    expect((await ask("ann")).status).toBe(503);
    expect(service.arrivals()).toBe(0);
  });

  test("when a list holds keys of other things", async () => {
    const { submit, ask, fail } = await withStore((call) =>
      call.step === "list"
        ? ["owner:job:job-2", "once:x", "owner:job:job-9", "", "owner:job:"].map((id) => ({
            ...{ id, rev: "1", text: JSON.stringify({ owner: "eve", at: Date.now() }) },
          }))
        : call.go(),
    );
    await submit("ann");
    await submit("eve");
    fail();
    const answered = await ask("eve");
    expect([200, 503]).toContain(answered.status);
    expect(answered.body).not.toContain("job-1");
  });
});
