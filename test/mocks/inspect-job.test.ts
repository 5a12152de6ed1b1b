import { describe, expect, test } from "vitest";
import {
  createManualClock,
  createMockService,
  type MockJobDetail,
  type MockServiceOptions,
} from "../../mocks/index.ts";
import { createAsk } from "./ask.ts";

const setUp = (options: MockServiceOptions = {}) => {
  const clock = createManualClock(1_000_000);
  const service = createMockService({ clock, ...options });
  const ask = createAsk(service);
  const submit = async (body: object): Promise<string> =>
    (await ask("POST", "/v1/jobs", body)).data.job_id;
  const inspect = (id: string): MockJobDetail => {
    const detail = service.jobs.inspect(id);
    if (detail === undefined) throw new Error(`No job ${id}`);
    return detail;
  };
  const keep = async (body: object) =>
    inspect(await submit({ action: "copy-ad", ...body })).request;
  return { clock, service, ask, submit, inspect, keep };
};

describe("inspect", () => {
  test("shows a job with its request and its cost, and does not move it on", async () => {
    const { service, submit, inspect } = setUp();
    const request = {
      action: "generate-ad",
      prompt: "Summer sale 🌞",
      variations: 3,
      images: ["https://ads.test/a.png"],
      style: { mood: ["calm", null, 0.5, true] },
    };
    const id = await submit(request);
    for (let round = 0; round < 3; round += 1) {
      expect(inspect(id)).toEqual({
        job: service.jobs.find(id),
        account: "test-key",
        request,
        cost: { credit: "image", amount: 3, monthly: 3, purchased: 0, refunded: false },
        submittedAt: 1_000_000,
        startedAt: undefined,
        finishedAt: undefined,
        polls: 0,
      });
    }
  });

  test("tells the reason for the end of a job, and a snapshot keeps it", async () => {
    const { clock, service, submit, inspect } = setUp({
      timeline: { queuedMs: 100, processingMs: 200 },
    });
    const prompt = (text: string) => submit({ action: "copy-ad", prompt: text });
    const ids = [await prompt("Snow"), await prompt("Snow [[fail: moderation]]")];
    service.jobs.next({ fail: "quota" });
    ids.push(await prompt("Snow [[fail: moderation]]"));
    ids.push(await prompt("Snow [[takes: 50m]]"), await prompt("Snow"));
    const reasons = () => ids.map((id) => inspect(id).endedBy);
    expect(reasons()).toEqual(ids.map(() => undefined));
    service.jobs.fail(ids[4] ?? "");
    clock.advance(31 * 60_000);
    const expected = ["timeline", "prompt", "plan", "expiry", "order"];
    expect(reasons()).toEqual(expected);
    service.restore(JSON.parse(JSON.stringify(service.snapshot())));
    expect(reasons()).toEqual(expected);
  });

  test("shows the directives that the results leave out", async () => {
    const { submit, inspect, clock } = setUp();
    const prompt = "Summer [[takes: 1s]] sale";
    const id = await submit({ action: "generate-ad-copy", prompt });
    clock.advance(1_000);
    const { request, job } = inspect(id);
    expect(request["prompt"]).toBe(prompt);
    expect(JSON.stringify(job.result)).toContain("Summer sale");
  });

  test("tells a free job, and one that was paid back", async () => {
    const { service, submit, inspect } = setUp({
      refundFailedJobs: true,
      accounts: { "test-key": { credits: { video: { monthly: 2, purchased: 9 } } } },
    });
    expect(inspect(await submit({ action: "generate-ad-copy" })).cost).toBeUndefined();
    const id = await submit({ action: "video-a-2" });
    service.jobs.fail(id);
    const cost = { credit: "video", amount: 5, monthly: 2, purchased: 3, refunded: true };
    expect(inspect(id).cost).toEqual(cost);
  });
});

describe("the times of a job", () => {
  const times = ({ submittedAt, startedAt, finishedAt }: MockJobDetail) => [
    (startedAt ?? Number.NaN) - submittedAt,
    (finishedAt ?? Number.NaN) - submittedAt,
  ];

  test("are those of a timeline, whenever a client looks", async () => {
    const { clock, ask, submit, inspect } = setUp({
      timeline: { queuedMs: 100, processingMs: 200 },
    });
    const id = await submit({ action: "copy-ad" });
    const seen = [];
    for (let round = 0; round < 5; round += 1) {
      await ask("GET", `/v1/jobs/${id}`);
      seen.push(times(inspect(id)));
      clock.advance(90);
    }
    const [none, queued] = [Number.NaN, [Number.NaN, Number.NaN]];
    expect(seen).toEqual([queued, queued, [100, none], [100, none], [100, 300]]);
  });

  test("end when a test ends it", async () => {
    const { clock, service, submit, inspect } = setUp({
      timeline: { queuedMs: 100, processingMs: 200 },
    });
    const [queued, processing] = [
      await submit({ action: "copy-ad" }),
      await submit({ action: "copy-ad" }),
    ];
    clock.advance(50);
    service.jobs.expire(queued);
    clock.advance(100);
    service.jobs.complete(processing);
    clock.advance(5_000);
    expect(times(inspect(queued))).toEqual([Number.NaN, 50]);
    expect(times(inspect(processing))).toEqual([100, 150]);
  });

  test("end with the half hour of a job that expires", async () => {
    const { clock, submit, inspect } = setUp();
    const id = await submit({ action: "copy-ad" });
    clock.advance(3_600_000);
    expect(times(inspect(id))).toEqual([Number.NaN, 1_800_000]);
  });
});

const graphemes = (text: unknown): string[] =>
  Array.from(new Intl.Segmenter("en").segment(String(text)), ({ segment }) => segment);

describe("of a large request, a job keeps", () => {
  test("2,000 graphemes of a text", async () => {
    const { keep } = setUp();
    const { prompt } = await keep({ prompt: "e\u0301".repeat(2_001) });
    expect(graphemes(prompt)).toEqual([...Array(2_000).fill("e\u0301"), "…"]);
    expect((await keep({ prompt: "e".repeat(2_000) }))["prompt"]).toBe("e".repeat(2_000));
  });

  test.each(["👨‍👩‍👧‍👦", "🇩🇪", "👍🏽", "🌞"])("no half of %s", async (emoji) => {
    const { keep } = setUp();
    for (const start of ["", "x", "xy", "xyz"]) {
      const { prompt } = await keep({ prompt: start + emoji.repeat(9_000) });
      const [...parts] = graphemes(prompt).slice(start.length);
      expect(parts.pop()).toBe("…");
      expect(new Set(parts)).toEqual(new Set([emoji]));
      expect(parts.length).toBeGreaterThan(700);
    }
  });

  test("the beginning of a text that is one grapheme without an end", async () => {
    const { keep } = setUp();
    expect((await keep({ prompt: `a${"\u0301".repeat(20_000)}` }))["prompt"]).toBe("…");
  });

  test("the beginning of an image in base64, and the whole address of another", async () => {
    const { keep } = setUp();
    const address = `https://ads.test/a.png?signature=${"0a".repeat(500)}`;
    const base64 = "iVBORw0KGgo/".repeat(5_000);
    const { images } = await keep({ images: [`data:image/png;base64,${base64}`, base64, address] });
    expect(images).toEqual([
      `data:image/png;base64,${base64.slice(0, 58)}…`,
      `${base64.slice(0, 80)}…`,
      address,
    ]);
  });

  test("twenty items of a list and fifty fields of an object, and the count of the others", async () => {
    const { keep } = setUp();
    const list = Array.from({ length: 1_000 }, (_, index) => index);
    const extra = Object.fromEntries(list.map((index) => [`field${index}`, index]));
    const kept = await keep({ list, extra });
    expect(kept["list"]).toEqual([...list.slice(0, 20), "… 980 more"]);
    expect(Object.keys(kept["extra"] as object)).toHaveLength(51);
    expect(kept["extra"]).toMatchObject({ field49: 49, "…": "950 more" });
  });

  test.each<[string, object]>([
    ["many texts", { images: Array(30).fill("a b ".repeat(1_000)) }],
    ["long names", Object.fromEntries(["a", "b"].map((name) => [name.repeat(100_000), name]))],
    ["deep lists", { deep: JSON.parse("[".repeat(60) + "]".repeat(60)), more: "x ".repeat(9_000) }],
    ["a name of the language", JSON.parse(`{"__proto__":{"a":"${"b ".repeat(5_000)}"}}`)],
  ])("at most 16 KiB: %s", async (_, body) => {
    const { keep } = setUp();
    const kept = JSON.stringify(await keep(body));
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.length * 2).toBeLessThan(16 * 1_024 + 2_000);
    expect(kept).toContain("…");
  });
});

describe("a snapshot", () => {
  test("keeps the requests and times of jobs", async () => {
    const { clock, service, ask, submit, inspect } = setUp();
    const ids = [
      await submit({ action: "copy-ad", prompt: "Sale [[takes: 2m]]" }),
      await submit({ action: "video-a-2", prompt: "Sale", duration: 2.5 }),
    ];
    clock.advance(5);
    for (const id of ids) await ask("GET", `/v1/jobs/${id}`);
    service.jobs.fail(ids[1] ?? "");
    const before = ids.map(inspect);
    service.restore(JSON.parse(JSON.stringify(service.snapshot())));
    expect(ids.map(inspect)).toEqual(before);
  });

  test("of 0.2.0 is read, with as much of each request as it kept", async () => {
    const { service, submit, inspect } = setUp();
    const id = await submit({ action: "video-a-2", prompt: "Summer sale", images: [] });
    const snapshot = JSON.parse(JSON.stringify(service.snapshot()));
    const [job] = snapshot.accounts[0].jobs;
    delete job.request;
    job.prompt = "Summer sale";
    service.restore(snapshot);
    const request = { action: "video-a-2", prompt: "Summer sale", variations: 1, duration: 5 };
    expect(inspect(id).request).toEqual(request);
  });
});
