import { describe, expect, test } from "vitest";
import { atOnce, setUp } from "./set-up.ts";

test("a finished job is shown the same each time, alone, in a list, and in the journal", async () => {
  const { ask, submit, journal } = setUp({ timeline: atOnce });
  const path = `/v1/jobs/${await submit({ variations: 2 })}`;
  const { text, data } = await ask("GET", path);
  expect((await ask("GET", path)).text).toBe(text);
  const shown = JSON.stringify({ success: true, data: { jobs: [data] }, error: null });
  for (let time = 0; time < 2; time += 1) expect((await ask("GET", "/v1/jobs")).text).toBe(shown);
  for (let count = 0; count < 20; count += 1) await submit();
  const answered = await ask("GET", "/v1/jobs?limit=20");
  expect(journal.entries.at(-1)?.answer).toEqual({ status: 200, body: JSON.parse(answered.text) });
});

describe("of a large request, a job keeps", () => {
  const keep = async (body: object) => {
    const { submit, jobs } = setUp();
    return jobs.inspect(await submit({ action: "copy-ad", ...body }))?.request ?? {};
  };

  const accented = "e\u0301";
  const base64 = "iVBORw0KGgo/".repeat(5_000);
  const image = `data:image/png;base64,${base64}`;
  const address = `https://ads.test/a.png?signature=${"0a".repeat(500)}`;
  const images = [
    `data:image/png;base64,${base64.slice(0, 58)}…`,
    `${base64.slice(0, 80)}…`,
    address,
  ];
  const list = Array.from({ length: 1_000 }, (_, index) => index);
  const fieldsOf = (numbers: readonly number[]) =>
    Object.fromEntries(numbers.map((index) => [`field${index}`, index]));

  test.each([
    [
      "2,000 graphemes",
      { prompt: accented.repeat(2_001) },
      { prompt: `${accented.repeat(2_000)}…` },
    ],
    ["a smaller one", { prompt: "e".repeat(2_000) }, { prompt: "e".repeat(2_000) }],
    ["no grapheme without an end", { prompt: `a${"\u0301".repeat(20_000)}` }, { prompt: "…" }],
    ["the type of base64, and a whole address", { images: [image, base64, address] }, { images }],
    ["twenty items", { list }, { list: [...list.slice(0, 20), "… 980 more"] }],
    [
      "fifty fields",
      { extra: fieldsOf(list) },
      { extra: { ...fieldsOf(list.slice(0, 50)), "…": "950 more" } },
    ],
  ])("%s", async (_, body, kept) => {
    expect(await keep(body)).toEqual({ action: "copy-ad", ...kept });
  });

  test.each<[string, object]>([
    ["many texts", { images: Array(30).fill("a b ".repeat(1_000)) }],
    ["long names", Object.fromEntries(["a", "b"].map((name) => [name.repeat(100_000), name]))],
    ["deep lists", { deep: JSON.parse("[".repeat(60) + "]".repeat(60)), more: "x ".repeat(9_000) }],
    ["a name of the language", JSON.parse(`{"__proto__":{"a":"${"b ".repeat(5_000)}"}}`)],
  ])("at most 16 KiB: %s", async (_, body) => {
    const kept = JSON.stringify(await keep(body));
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.length * 2).toBeLessThan(16 * 1_024 + 2_000);
    expect(kept).toContain("…");
  });
});
