import { describe, expect, test } from "vitest";
import { createRedactor, redactThings } from "../../src/proxy/redact.ts";

const redactorOf = (...keys: string[]) => {
  const redactor = createRedactor();
  for (const key of keys) redactor.keep(key);
  return redactor.redact;
};

describe("a text", () => {
  test("loses keys that overlap, begin alike, or touch each other", () => {
    const redact = redactorOf("key-1234", "key-12345678", "1234key-");
    expect(redact("a key-12345678 b")).toBe("a *** b");
    expect(redact("a key-1234key-12345678 b")).toBe("a *** b");
    expect(redact("key-1234,key-1234")).toBe("***,***");
    expect(redact("key-123")).toBe("key-123");
  });

  test("keeps what is escaped in it, where it is no key", () => {
    const redact = redactorOf("sk-live-4711");
    const text = "100% &amp; &#65; %41 \\u0041 \\\\ C:\\new % & \\ %zz &none; ü 😀";
    expect(redact(text)).toBe(text);
    expect(redact(`${text}sk%2Dlive-4711${text}`)).toBe(`${text}***${text}`);
  });

  test("that is cut leaves no part of a key that holds a backslash or a quote", () => {
    const redact = redactorOf('sk"li\\ve');
    for (const text of ['sk"li\\ve', '{"key":"sk\\"li\\\\ve"}', "sk&quot;li\\ve"]) {
      expect(redact(text)).toContain("***");
      expect(redact(text)).not.toMatch(/sk|li|ve/);
    }
  });

  const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  const odd = (length: number, seed: number): string =>
    Array.from({ length }, (_, at) => letters[(at * at * 7 + at * seed + seed) % 62]).join("");
  const large: [what: string, text: string][] = [
    ["base64", odd(8_192, 5).repeat(1_024)],
    ["the beginnings of keys", "sk-live-".repeat(2 ** 20)],
    ["percent-encoded letters", "%41".repeat(2.8e6)],
    ["backslashes", "\\".repeat(2 ** 23)],
  ];
  test.each(large)("of 8 MiB of %s is searched for a hundred keys in no time", (_, text) => {
    const keys = Array.from({ length: 100 }, (_, at) => `sk-live-${odd(32, at)}`);
    const costOf = (text: string, ...keys: string[]): number => {
      const redact = redactorOf(...keys);
      const { user } = process.cpuUsage();
      expect(redact(`${text}sk-live-${odd(32, 7)}`)).toBe(`${text}***`);
      return process.cpuUsage().user - user;
    };
    // Measured in the same run, these are as busy as the machine is.
    const ofOneKey = costOf(text, `sk-live-${odd(32, 7)}`);
    const ofAnEighth = costOf(text.slice(0, Math.floor(text.length / 24) * 3), ...keys);
    const cost = costOf(text, ...keys);
    // They cost 5 and 12 times as much. A search for each key alone would cost 100 times as much as
    // one. A square of the length would cost 64 times as much as an eighth.
    expect(cost).toBeLessThan(15 * (ofOneKey + 10_000));
    expect(cost).toBeLessThan(30 * (ofAnEighth + 10_000));
    // It counts the processor's time: a busy machine may take long.
  });
});

describe("a thing", () => {
  test("keeps its ids, and loses the key in all other texts and names", () => {
    const redact = redactorOf("ad-1");
    const ids = { id: "ad-1", job_id: "ad-1", brand_id: "ad-1", upload_ids: 5 };
    const things = [{ ...ids, note: "ad-1", deep: [{ id: "ad-1", "ad-1": ["x ad-1"] }] }];
    redactThings(things, redact);
    expect(things).toEqual([{ ...ids, note: "***", deep: [{ id: "***", "***": ["x ***"] }] }]);
  });

  test("loses the key in fields that only look like ids, and in what is below an id", () => {
    const redact = redactorOf("sk-live-4711");
    const thing = { api_key_id: "sk-live-4711", job_id: { deep: "Bearer sk-live-4711" } };
    redactThings(thing, redact);
    expect(thing).toEqual({ api_key_id: "***", job_id: { deep: "Bearer ***" } });
  });
});
