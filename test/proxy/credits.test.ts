import { describe, expect, test } from "vitest";
import { failureOf, withLimit } from "./proxy-under-test.ts";

describe("credits", () => {
  test("are one for each variation of a picture, and none for text", async () => {
    const { submit, used } = await withLimit({ imageCredits: 10 });
    await submit("ann", { variations: 4 });
    await submit("ann");
    await submit("ann", { action: "generate-ad-copy", variations: 10 });
    await submit("ann", { action: "video-a-2", duration: 8 });
    expect(await used()).toEqual([5]);
    expect((await submit("ann", { variations: 6 })).status).toBe(402);
    expect((await submit("ann", { variations: 5 })).status).toBe(202);
  });

  test("of videos are their seconds, times their variations, and they must say them", async () => {
    const { submit, used, service } = await withLimit({ videoSeconds: 30 });
    await submit("ann", { action: "video-b-3-0", duration: 8 });
    await submit("ann", { action: "video-a-2-pro", duration: 2.5, variations: 2 });
    expect(await used()).toEqual([13]);
    expect((await submit("ann", { action: "video-a-2", duration: 18 })).status).toBe(402);
    expect((await submit("ann", { action: "video-a-2" })).status).toBe(400);
    expect(service.charges).toHaveLength(2);
  });

  const smuggled: [what: string, members: string][] = [
    ["as text", '"variations":"10"'],
    ["of 0", '"variations":0'],
    ["below 0", '"variations":-1'],
    ["of a half", '"variations":0.5'],
    ["of 1e3", '"variations":1e3'],
    ["of 1e400", '"variations":1e400'],
    ["of -0", '"variations":-0'],
    ["as null", '"variations":null'],
    ["as a list", '"variations":[1]'],
    ["as an object", '"variations":{"valueOf":1}'],
    ["in capitals", '"Variations":10'],
    ["beside another spelling", '"variations":1,"VARIATIONS":10'],
    ["under a long s", '"variation\u017f":10'],
    ["under a fullwidth name", '"\uff56ariations":10'],
    ["under a name and a space", '"variations ":10'],
    ["under a name and a space of no width", '"variations\u200b":10'],
    ["under a name that holds a soft hyphen", '"vari\u00adations":10'],
    ["under a dotless i", '"var\u0131ations":10'],
    ["of a duration under a name and a line", '"\\nduration":5'],
    ["of a duration as text", '"duration":"1"'],
    ["of a duration below 0", '"duration":-5'],
    ["of a duration of 1e400", '"duration":1e400'],
    ["of a duration of 0", '"duration":0'],
    ["of a duration too short to count", '"duration":1e-7'],
    ["of a duration below a thousandth", '"duration":0.0009'],
  ];
  test.each(smuggled)("are not dodged by a number %s", async (_, members) => {
    const { ask, service, used } = await withLimit({ imageCredits: 5, videoSeconds: 5 });
    for (const action of ["generate-ad", "video-a-2"]) {
      const body = `{"action":"${action}","prompt":"Sale",${members}}`;
      expect((await ask("ann", { method: "POST", body })).status).toBe(400);
    }
    expect(service.arrivals()).toBe(0);
    expect(await used()).toEqual([0, 0]);
  });

  test("are counted by the number that the service gets", async () => {
    const { ask, service, used } = await withLimit({ imageCredits: 5 });
    const send = (members: string) =>
      ask("ann", { method: "POST", body: `{"action":"generate-ad","prompt":"Sale",${members}}` });
    await send('"variations":10,"variations":1');
    expect(JSON.parse(service.received[0]?.body ?? "").variations).toBe(1);
    expect(service.received[0]?.body).not.toContain("10");
    expect((await send('"variations":1,"variations":10')).status).toBe(402);
    expect((await send('"__proto__":{"variations":0},"variations":4')).status).toBeLessThan(401);
    expect(service.received.every(({ body }) => (JSON.parse(body).variations ?? 1) < 5)).toBe(true);
    expect((await used())[0]).toBeLessThanOrEqual(5);
  });

  test("are not dodged by an action that is none, or spelt otherwise", async () => {
    const { submit, service } = await withLimit({ imageCredits: 5 });
    for (const action of [
      "Generate-Ad",
      "generate-ad ",
      "nope",
      7,
      null,
      ["generate-ad"],
      undefined,
    ]) {
      const answered = await submit("ann", { action });
      expect(failureOf(answered)).toMatchObject({ status: 400, outcome: "refused" });
      expect(failureOf(answered).error).toMatch(/^Invalid action\. Supported: copy-ad, /);
    }
    expect(service.arrivals()).toBe(0);
  });
});
