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
  expect(journal.entries.at(-1)?.answer).toEqual(JSON.parse(answered.text));
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
  test.each([
    [
      "2,000 graphemes",
      { prompt: accented.repeat(2_001) },
      { prompt: `${accented.repeat(2_000)}…` },
    ],
    ["a smaller one", { prompt: "e".repeat(2_000) }, { prompt: "e".repeat(2_000) }],
    ["no grapheme without an end", { prompt: `a${"\u0301".repeat(20_000)}` }, { prompt: "…" }],
    ["the type of base64, and a whole address", { images: [image, base64, address] }, { images }],
  ])("%s", async (_, body, kept) => {
    expect(await keep(body)).toEqual({ action: "copy-ad", ...kept });
  });
});
