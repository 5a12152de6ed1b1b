// The page as the server writes it, read as words. Its script and its looks need a browser.
import { describe, expect, test } from "vitest";
import { busy, call, makeTraffic, readPage, submit, timedJobs } from "./services.ts";

const ad = { action: "generate-ad", prompt: "Snow on the hills", variations: 2 };

describe("the jobs", () => {
  test("are counted truly, tell what was sent, what it cost and why it failed, and are listed", async () => {
    const { service, read } = await readPage(busy());
    const newest = service.jobs.all.find(({ action }) => action === "image-a-2");
    const all = await read("jobs");
    expect(all).toMatch(
      /^Jobs 61 New job All 61 queued 57 processing 0 completed 3 failed 1 Queued 57 image-a-2 00:00:00 A lighthouse at night 3 image credits · 3 variations · 2 images · Zebra /,
    );
    expect(all).toContain(`Zebra ${newest?.job_id} test-b generate-ad 00:00:00 Coat 59 1 image`);
    expect(all).toMatch(
      / 49 more queued Processing 0 Finished 4 generate-ad 00:00:00 Failed Refused by moderation Coat 3 /,
    );
    expect(all.match(/ job_\w+ test-/g)).toHaveLength(12);

    expect(await read("jobs", "?status=failed")).toMatch(
      / failed 1 generate-ad 00:00:00 Coat 3 Refused by moderation 1 image credit job_\w+ test-a$/,
    );
  });

  test("have pages of their own, with all about them", async () => {
    const { service, read } = await readPage({ service: timedJobs() });
    const id = await submit(service, ad);
    await call(service, "GET", `/v1/jobs/${id}`);
    service.clock.advance(15_000);
    service.jobs.fail(id, "Refused by moderation");
    for (let count = 0; count < 60; count += 1) {
      await submit(service, { action: "generate-ad-copy" });
    }
    const spaced = (value: unknown) => JSON.stringify(value, undefined, 1).replace(/\s+/g, " ");
    const job = spaced(service.jobs.find(id));
    expect(await read("jobs", `?job=${id}`)).toBe(
      [
        `All jobs generate-ad failed ${id} Refused by moderation (${id}) Copy id`,
        "(curl -X POST 'http://127.0.0.1/v1/jobs' \\ -H 'Authorization: Bearer test-key' \\",
        `-H 'Content-Type: application/json' \\ -d '${JSON.stringify(ad)}') Copy as curl`,
        `(${job}) Copy JSON`,
        "Prompt Snow on the hills Parameters 2 variations",
        "Cost 2 image credits: 2 monthly, 0 purchased Account test-key",
        "Submitted 2026-01-01T00:00:00.000Z Processing 00:00:10 after 10 s",
        "Failed 00:00:15 after 15 s Ended by a button, or a call of the mock",
        "Polls 1 time while it was unfinished Requests about this job Time Call Status",
        `00:00:00 GET /v1/jobs/${id} 200 00:00:00 POST /v1/jobs 202`,
        `Request as it was sent ${spaced(ad)} Job as JSON, its pictures by their paths ${job}`,
      ].join(" "),
    );
    expect(await read("jobs", "?job=job_nobody")).toMatch(
      /^All jobs No job has the id job_nobody A reset takes all jobs away\./,
    );
  });
});

describe("the journal", () => {
  const numbers = (words: string): string[] =>
    words.match(/\d+(?= \d\d:\d\d:\d\d (?:GET|POST))/g) ?? [];

  test("tells why a 400, how long it took, what it made and what the fault did", async () => {
    const { service, read } = await readPage();
    await call(service, "POST", "/v1/jobs", { action: "nothing", prompt: "It's" });
    const id = await submit(service, ad);
    service.faults.play({ kind: "reset", accepted: true });
    await call(service, "POST", "/v1/brands", { name: "Lost" }).catch(() => undefined);
    const refused = await read("journal", "?entry=1");
    expect(refused).toMatch(
      /POST \/v1\/jobs Invalid action\. Supported: .* 400 [\d.]+ m?s test-key /,
    );
    for (const words of [
      ` Request id ${service.journal.entries[0]?.requestId} (curl -X POST 'http://127.0.0.1/v1/jobs'`,
      String.raw` -d '{"action":"nothing","prompt":"It'\''s"}') Copy as curl Headers authorization: [redacted] content-type: application/json Request 1, sent {`,
    ]) {
      expect(refused).toContain(words);
    }
    const faulty = await read("journal", "?entry=3");
    expect(faulty).toContain(
      " POST /v1/brands fault: reset, carried out none test-key Fault reset; ",
    );
    expect(faulty).toContain("; the service carried the request out Account test-key ");
    expect(faulty).toMatch(
      new RegExp(` "Lost" } No answer went out. 2 .* POST /v1/jobs ${id} 202 `),
    );
  });

  test("filters by status, call, fault, account and text, with true counts", async () => {
    const accounts = { "test-key": {}, "test-other": {} };
    const { service, read } = await readPage({ service: { accounts } });
    await makeTraffic(service, 40);
    await call(service, "POST", "/v1/brands", { name: "Lemonade" }, "test-other");
    for (const fault of [{ kind: "html", status: 502 }, { kind: "reset" }] as const) {
      service.faults.play(fault);
      await call(service, "GET", "/v1/brands").catch(() => undefined);
    }
    for (const [query, counts, listed, rest] of [
      ["", "All 123 2xx 41 4xx 80 5xx 1 no answer 1", 25, "98 more"],
      ["?j-status=4xx", "All 123 2xx 41 4xx 80 5xx 1 no answer 1", 25, "55 more"],
      ["?j-status=4xx&j-call=jobs.submit", "All 40 2xx 0 4xx 40 5xx 0 no answer 0", 25, "15 more"],
      [
        "?j-fault=any+fault",
        "All 2 2xx 0 4xx 0 5xx 1 no answer 1",
        2,
        "fault: reset, not carried out",
      ],
      ["?account=test-other", "All 1 2xx 1 4xx 0 5xx 0 no answer 0", 1, "201"],
      ["?j-text=LEMON", "All 1 2xx 1 4xx 0 5xx 0 no answer 0", 1, "test-other"],
      ["?j-text=nothing+like+it", "All 0", 0, "None of the 123 requests fits the filters."],
    ] as const) {
      const words = await read("journal", query);
      expect(words).toContain(counts);
      expect(numbers(words)).toHaveLength(listed);
      expect(words).toContain(rest);
    }
  });
});
