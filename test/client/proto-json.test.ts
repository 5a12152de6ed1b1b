import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/answer/json.ts";
import { raw } from "../helpers/answers.ts";
import { clientOf } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

/** A list of jobs of about 15 MB; one of them holds `__proto__`. */
const largeText = (() => {
  const job = {
    job_id: "job-1",
    status: "completed",
    result: { images: [{ url: "u".repeat(80) }] },
  };
  const jobs = Array.from({ length: 90_000 }, (_, index) => ({ ...job, prompt: `p${index}` }));
  const text = JSON.stringify({ success: true, data: { jobs }, error: null });
  return text.replace('"prompt":"p7"', '"__proto__":{"polluted":true}');
})();

/** The least time of a few runs: a machine under load only adds to it. */
const quickest = (run: () => unknown): number => {
  const times = Array.from({ length: 5 }, () => {
    const startedAt = performance.now();
    run();
    return performance.now() - startedAt;
  });
  return Math.min(...times);
};

const nested = (depth: number, inside: string): string =>
  "[".repeat(depth) + inside + "]".repeat(depth);

describe("__proto__ in an answer", () => {
  it("is dropped from 15 MB in at most three times the time of JSON.parse", {
    retry: 3,
    timeout: 60_000,
  }, () => {
    expect(largeText.length).toBeGreaterThan(14_000_000);
    const value = parseJson(largeText) as { data: { jobs: { polluted?: unknown }[] } };
    expect(value.data.jobs[7]?.polluted).toBeUndefined();
    expect(Object.hasOwn(value.data.jobs[7] ?? {}, "__proto__")).toBe(false);

    const plainMs = quickest(() => JSON.parse(largeText));
    expect(quickest(() => parseJson(largeText))).toBeLessThan(3 * plainMs);
  });

  it("is dropped below 5,000 nested arrays too", () => {
    const value = parseJson(nested(5_000, '{"__proto__":{"polluted":true},"kept":1}'));

    let inside = value;
    while (Array.isArray(inside)) inside = inside[0];
    expect(inside).toEqual({ kept: 1 });
    expect(Object.hasOwn(inside as object, "__proto__")).toBe(false);
  });

  it.each([
    ["plain", '"__proto__"'],
    ["escaped", '"__pr\\u006fto__"'],
    ["escaped as a whole", '"\\u005f\\u005f\\u0070\\u0072\\u006f\\u0074\\u006F\\u005f\\u005F"'],
  ])("is dropped when it is written %s", (_, key) => {
    const text = `{"a":[{${key}:{"polluted":true},"kept":1}],${key}:7}`;

    const value = parseJson(text) as { a: object[]; polluted?: unknown };

    expect(JSON.stringify(value)).toBe('{"a":[{"kept":1}]}');
    expect({ ...value.a[0] }).not.toHaveProperty("polluted");
  });

  it("stays where it is a text, and not a name", () => {
    expect(parseJson('{"prompt":"__proto__"}')).toEqual({ prompt: "__proto__" });
  });

  it("is dropped from the client's data, inside 5,000 arrays or not", async () => {
    const result = `{"__proto__":{"polluted":true},"deep":${nested(5_000, '"__proto__"')}}`;
    const job = `{"job_id":"j","status":"completed","result":${result}}`;
    const server = await listen(raw(200, `{"success":true,"data":${job},"error":null}`));

    const got = await clientOf(server).jobs.get("j");

    expect(got.status).toBe("completed");
    const { result: made } = got as { result?: object };
    expect(Object.getOwnPropertyNames(made)).toEqual(["deep"]);
  });
});
