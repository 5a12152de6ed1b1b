import { describe, expect, test } from "vitest";
import { atOnce, setUp } from "./set-up.ts";

/** Jobs of two accounts, a second apart: a, b, c, d; b failed, c processing, d queued. */
const createBusy = async () => {
  const timeline = { queuedMs: 10_000, processingMs: 10_000 };
  const made = setUp({ timeline });
  const { clock, ask, jobs } = made;
  const submit = async (key: string, body: object): Promise<string> => {
    const id = await made.submit(body, key);
    clock.advance(1_000);
    return id;
  };
  const brand = await ask("POST", "/v1/brands", { name: "Zebra & Söhne" });
  const a = await submit("test-key", { prompt: `${"of coats ".repeat(12)}Summer SALE` });
  const b = await submit("test-b", { action: "edit-ad", prompt: "Winter" });
  jobs.fail(b, "Refused by moderation");
  clock.advance(20_000);
  const c = await submit("test-key", { prompt: "سترة", brand_id: brand.data.id });
  clock.advance(9_500);
  const d = await submit("test-b", { action: "edit-ad" });
  return { ...made, ids: { a, b, c, d } };
};

/** The model test does so by service.jobs.search. */
describe("a search among the jobs over HTTP", () => {
  test.each([
    ["status=completed,failed", ["b", "a"], 2],
    ["action=edit-ad,generate-ad-copy&text=EDIT-", ["d", "b"], 2],
    ["text=سترة", ["c"], 1],
    ["text=zebra%20%26%20s%C3%B6hne", ["c"], 1],
    ["text=nothing%20has%20this", [], 0],
    ["action=edit-ad&text=winter&account=test-b&status=failed", ["b"], 1],
    ["each=1&limit=3", ["d", "c", "b"], 4],
  ])("by %s finds %j", async (query, names, total) => {
    const { order, ids } = await createBusy();
    const { data } = await order("GET", `/jobs?${query}`);
    const found = data.jobs.map(({ job_id }: { job_id: string }) => job_id);
    expect(found).toEqual(names.map((name) => ids[name as keyof typeof ids]));
    expect(data.total).toBe(total);
  });

  test("leaves the results out when it is told to", async () => {
    const { order } = await createBusy();
    const first = async (query: string) => (await order("GET", `/jobs?${query}`)).data.jobs[0];
    const { result, ...rest } = await first("status=completed");
    expect(result.images).toHaveLength(1);
    expect(await first("status=completed&results=false")).toEqual(rest);
  });

  test.each([
    ["status=", "status"],
    ["action=paint", "action"],
    ["before=job_nobody", "before"],
    ["results=no", "results"],
  ])("refuses %s by the name of the field", async (query, field) => {
    const { status, error } = await setUp().order("GET", `/jobs?${query}`);
    expect(status).toBe(400);
    expect(error).toContain(field);
  });
});

test("all about one job over HTTP is as the service knows it, with its requests", async () => {
  const { order, poll, list, jobs, journal, ids } = await createBusy();
  await poll(ids.c);
  await list(1);
  const { requests, ...data } = (await order("GET", `/jobs/${ids.c}`)).data;
  expect(data).toEqual(JSON.parse(JSON.stringify(jobs.inspect(ids.c))));
  expect(data).toMatchObject({ job: { job_id: ids.c }, brand: "Zebra & Söhne", polls: 1 });
  const paths = requests.map((number: number) => journal.find({ number })[0]?.path);
  expect(paths).toEqual(["/v1/jobs", `/v1/jobs/${ids.c}`]);
  const { status, error } = await order("GET", "/jobs/job_nobody");
  expect([status, error]).toEqual([404, 'No job has the id "job_nobody"']);
});

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

  test.each(["👨‍👩‍👧‍👦", "🇩🇪", "👍🏽", "🌞"])("no half of %s", async (emoji) => {
    for (const start of ["", "x", "xy", "xyz"]) {
      const { prompt } = await keep({ prompt: start + emoji.repeat(9_000) });
      const count = (String(prompt).length - start.length - 1) / emoji.length;
      expect(prompt).toBe(`${start}${emoji.repeat(count)}…`);
      expect(count).toBeGreaterThan(700);
    }
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

test("a snapshot of 0.2.0 is read, with as much of each request as it kept", async () => {
  const { service, submit, jobs } = setUp();
  const id = await submit({ action: "video-a-2", prompt: "Summer sale", images: [] });
  const snapshot = JSON.parse(JSON.stringify(service.snapshot()));
  const [job] = snapshot.accounts[0].jobs;
  delete job.request;
  job.prompt = "Summer sale";
  service.restore(snapshot);
  const request = { action: "video-a-2", prompt: "Summer sale", variations: 1, duration: 5 };
  expect(jobs.inspect(id)?.request).toEqual(request);
});
