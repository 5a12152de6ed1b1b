import { expect, test } from "vitest";
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
