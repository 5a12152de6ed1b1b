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
      /^Jobs 61 New job It costs 2 image credits; test-a has 90\. all 61 queued 57 completed 3 failed 1 queued 57 image-a-2 00:00:00 A lighthouse at night 3 image credits · variations: 3 · images: \["https:.*"\] · Zebra /,
    );
    expect(all).toContain(`Zebra ${newest?.job_id} test-b generate-ad 00:00:00 Coat 59 1 image`);
    expect(all).toMatch(
      / Older 8 of 57 completed 3 .* failed 1 generate-ad 00:00:00 Refused by moderation Coat 3 /,
    );
    expect(all.match(/ job_\w+ test-/g)).toHaveLength(12);

    expect(await read("jobs", "?status=failed")).toMatch(
      / failed 1 generate-ad 00:00:00 Refused by moderation Coat 3 1 image credit job_\w+ test-a$/,
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
    const page = await read("jobs", `?job=${id}`);
    expect(page.replace(/[\d.]+ m?s(?= test-key)/g, "1 ms")).toBe(
      [
        `All jobs generate-ad failed ${id}`,
        "Refused by moderation Snow on the hills 2 image credits · variations: 2 Account test-key",
        "Submitted 2026-01-01T00:00:00.000Z Processing 10 s after its submission",
        "Finished 15 s after its submission Ended by order Polls 1 while it was unfinished",
        "Requests about this job No. Time Call Status Took Account",
        `2 00:00:00 GET /v1/jobs/${id} 200 1 ms test-key 1 00:00:00 POST /v1/jobs ${id} 202 1 ms test-key`,
        `Request as it was sent ${spaced(ad)} Request as a curl command`,
        "curl -X POST 'http://127.0.0.1/v1/jobs' \\ -H 'Authorization: Bearer test-key' \\",
        `-H 'Content-Type: application/json' \\ -d '${JSON.stringify(ad)}'`,
        `Job as JSON, its pictures by their paths ${job}`,
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
      / 1 \d\d:\d\d:\d\d POST \/v1\/jobs Invalid action\. Supported: .* 400 [\d.]+ m?s test-key$/,
    );
    for (const words of [
      " 1 · POST /v1/jobs Close Sent {",
      " As a curl command curl -X POST 'http://127.0.0.1/v1/jobs'",
      String.raw` -d '{"action":"nothing","prompt":"It'\''s"}' `,
      ` "requestId": "${service.journal.entries[0]?.requestId}"`,
      ' Headers and more { "headers": { "authorization": "[redacted]", "content-type": "application/json" }',
    ]) {
      expect(refused).toContain(words);
    }
    const faulty = await read("journal", "?entry=3");
    expect(faulty).toMatch(
      new RegExp(
        ` "Lost" } No answer went out\\. Headers .* "accepted": true, "fault": { "kind": "reset", "accepted": true }.*` +
          ` 3 [\\d:]+ POST /v1/brands fault: reset, carried out none test-key 2 .* POST /v1/jobs ${id} 202 `,
      ),
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
      ["", "all 123 2xx 41 4xx 80 5xx 1 none 1", 25, "25 of 123"],
      ["?j-status=4xx", "all 123 2xx 41 4xx 80 5xx 1 none 1", 25, "25 of 80"],
      ["?j-status=4xx&j-call=jobs.submit", "all 40 4xx 40", 25, "25 of 40"],
      ["?j-fault=met", "all 2 5xx 1 none 1", 2, "fault: reset, not carried out"],
      ["?account=test-other", "all 1 2xx 1", 1, "201"],
      ["?j-text=LEMON", "all 1 2xx 1", 1, "test-other"],
      ["?j-text=nothing+like+it", "all 0", 0, "None of the 123 requests fits the filters."],
    ] as const) {
      const words = await read("journal", query);
      expect(words).toContain(counts);
      expect(numbers(words)).toHaveLength(listed);
      expect(words).toContain(rest);
    }
  });
});
