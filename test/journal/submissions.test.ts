import { createHash } from "node:crypto";
import { createJournal, createMemoryJournal } from "adgen-sdk";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { failure, queued, silence, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection, testKey, timed } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { createTestStore, fieldOf } from "./kept-records.ts";

const never = (): Promise<void> => new Promise(() => {});

const startWith = async (...answers: Answer[]) => {
  const server = await listen(...answers);
  const store = createTestStore();
  const client = clientOf(server, { journal: createJournal(store) });
  return { server, store, client, jobs: client.jobs };
};

let printed = vi.spyOn(console, "error");
beforeEach(() => {
  printed = vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => void vi.restoreAllMocks());

describe("the intent of a submission", () => {
  it("is on record before the request leaves, and the job's id after the answer", async () => {
    const { server, store, jobs } = await startWith(queued("job-7"));
    const seen: [event: string, requests: number][] = [];
    store.beforeAppend = async (event) => {
      await new Promise((resolve) => setTimeout(resolve, 20));
      seen.push([event, server.received.length]);
    };

    await jobs.submit(paidJob);

    expect(seen).toEqual([
      ["intent", 0],
      ["accepted", 1],
    ]);
    expect(store.kept.map(({ isDurable }) => isDurable)).toEqual([true, true]);
    expect(store.kept.map((record) => fieldOf(record, "jobId"))).toEqual([undefined, "job-7"]);
  });

  it("tells time, action, request, digest and origin, and never the key", async () => {
    const { server, store, jobs } = await startWith(queued());
    const images = [`data:image/png;base64,${"A".repeat(5_000)}`];

    await jobs.submit({ ...paidJob, images });

    const [intent] = store.kept;
    const sent = server.received[0]?.body ?? "";
    expect(JSON.parse(intent?.text ?? "")).toEqual({
      v: 1,
      id: intent?.id,
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      event: "intent",
      action: "generate-ad",
      request: {
        ...paidJob,
        images: [`data:image/png;base64,${"A".repeat(178)}… (5022 characters)`],
      },
      digest: createHash("sha256").update(sent).digest("hex"),
      origin: server.url,
    });
    expect(JSON.stringify(store.kept)).not.toContain(testKey);
  });

  it("stays below 16 KiB, whatever is sent", async () => {
    const { store, jobs } = await startWith(queued());
    const names = Array.from({ length: 300 }, (_, index) => [`field${index}`, "x".repeat(999)]);

    await jobs.submit({ ...paidJob, ...Object.fromEntries(names) });

    expect(store.kept[0]?.text.length).toBeLessThan(16 * 1024);
    expect(fieldOf(store.kept[0] as never, "request")).toEqual(paidJob);
  });

  it("stays below 16 KiB where a parameter is another thing than it should be", async () => {
    const { store, jobs } = await startWith(queued());
    const deep = Array(30).fill(Array(30).fill(["x".repeat(999)]));

    await jobs.submit({ action: "y".repeat(99_999), prompt: deep, variations: 2 } as never);

    expect(store.kept[0]?.text.length).toBeLessThan(16 * 1024);
    const action = `${"y".repeat(200)}… (99999 characters)`;
    expect(fieldOf(store.kept[0] as never, "request")).toEqual({ action, variations: 2 });
  });

  it("is one, however often a 429 makes the submission repeat", async () => {
    const slowDown = failure(429, "no", { "retry-after": "0" });
    const { server, store, jobs } = await startWith(slowDown, slowDown, queued());

    await jobs.submit(paidJob);

    expect(server.received).toHaveLength(3);
    expect(store.events()).toEqual(["intent", "accepted"]);
  });

  it("is not written for a request that is refused here", async () => {
    const { store, jobs } = await startWith(queued());

    await rejection(jobs.submit({ ...paidJob, variations: Number.NaN }));
    await rejection(jobs.submit(paidJob, { timeoutMs: -1 }));
    await rejection(jobs.submit(paidJob, { signal: AbortSignal.abort() }));

    expect(store.kept).toEqual([]);
  });
});

describe("a journal that cannot be written", () => {
  it("refuses the submission before anything is sent", async () => {
    const { server, store, jobs } = await startWith(queued());
    const cause = Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
    store.beforeAppend = () => Promise.reject(cause);

    const error = await rejection(jobs.submit(paidJob));

    expect(error).toMatchObject({ name: "JournalError", code: "journal", outcome: "not-sent" });
    expect(error).toMatchObject({ action: "generate-ad", cause });
    expect(error.message).toContain("ENOSPC: no space left on device; repair the store");
    expect(server.received).toEqual([]);
  });

  it("refuses where the store throws at once, too", async () => {
    const { server, store, jobs } = await startWith(queued());
    store.append = () => {
      throw new Error("no");
    };

    expect(await rejection(jobs.submit(paidJob))).toMatchObject({ code: "journal" });
    expect(server.received).toEqual([]);
  });

  it("ends the call in its time when it hangs, and nothing is sent later", async () => {
    const { server, store, jobs } = await startWith(queued());
    let goOn = (): void => {};
    store.beforeAppend = (event) =>
      event === "intent" &&
      new Promise<void>((resolve) => {
        goOn = resolve;
      });

    const { value: error, ms } = await timed(() =>
      rejection(jobs.submit(paidJob, { timeoutMs: 80 })),
    );
    goOn();
    await vi.waitFor(() => expect(store.events().sort()).toEqual(["failed", "intent"]));

    expect(error).toMatchObject({ code: "timeout", outcome: "not-sent", attempts: 0 });
    expect(error.message).toBe(
      "POST /v1/jobs was not sent: its journal timed out after 80 ms (timeoutMs)",
    );
    expect(ms).toBeLessThan(1_000);
    expect(server.received).toEqual([]);
    expect((await jobs.recover()).unknown).toEqual([]);
  });

  it("lets an abort end the call, and nothing is sent", async () => {
    const { server, store, jobs } = await startWith(queued());
    const controller = new AbortController();
    store.beforeAppend = () => {
      setTimeout(() => controller.abort("enough"), 10);
      return never();
    };

    const error = await rejection(jobs.submit(paidJob, { signal: controller.signal }));

    expect(error).toMatchObject({ code: "aborted", outcome: "not-sent", cause: "enough" });
    expect(server.received).toEqual([]);
  });
});

describe("a job whose id cannot be recorded", () => {
  it("is given to the caller all the same, and known to this process", async () => {
    const { store, jobs } = await startWith(queued("job-7"), success({ jobs: [] }));
    store.beforeAppend = (event) => {
      if (event === "accepted") throw new Error("full");
    };

    expect(await jobs.submit(paidJob)).toMatchObject({ job_id: "job-7" });

    expect(printed).toHaveBeenCalledOnce();
    expect(printed.mock.calls[0]?.join()).toContain("job-7");
    expect(await jobs.recover()).toMatchObject({ waiting: [{ job_id: "job-7" }], unknown: [] });
  });

  it("is recorded as soon as the store works again", async () => {
    const { store, jobs } = await startWith(queued("job-7"), queued("job-8"));
    store.beforeAppend = (event) => {
      if (event === "accepted") throw new Error("full");
    };
    await jobs.submit(paidJob);
    store.beforeAppend = () => {};

    await jobs.submit(paidJob);

    await vi.waitFor(() =>
      expect(store.events().filter((event) => event === "accepted")).toHaveLength(2),
    );
  });

  it("is a candidate for the next process, which finds the submission unknown", async () => {
    const listed = [
      { job_id: "job-7", status: "queued" },
      { job_id: "job-6", status: "queued", action: "generate-ad" },
      { job_id: "job-5", status: "queued", action: "video-a" },
    ];
    const { server, store, jobs } = await startWith(queued("job-7"), success({ jobs: listed }));
    store.beforeAppend = (event) => {
      if (event === "accepted") throw new Error("full");
    };
    await jobs.submit(paidJob);

    const next = clientOf(server, { journal: createJournal(createTestStore(store.kept)) });

    const { waiting, unknown } = await next.jobs.recover();
    expect(waiting).toEqual([]);
    expect(unknown).toMatchObject([{ action: "generate-ad", request: paidJob }]);
    expect(unknown[0]?.candidates).toEqual(listed.slice(0, 2));
  });

  it("does not wait longer for the record than the call may take", async () => {
    const { store, jobs } = await startWith(queued("job-7"));
    store.beforeAppend = (event) => (event === "accepted" ? never() : undefined);
    const controller = new AbortController();

    expect(await jobs.submit(paidJob, { timeoutMs: 100 })).toMatchObject({ job_id: "job-7" });
    setTimeout(() => controller.abort(), 100);
    const { signal } = controller;
    expect(await jobs.submit(paidJob, { signal })).toMatchObject({ job_id: "job-7" });
  });
});

describe("a failed submission", () => {
  it.each<[string, Answer, string]>([
    ["a 402", failure(402), "payment_required"],
    ["a 400", failure(400), "bad_request"],
  ])("is closed after %s", async (_, answer, code) => {
    const { store, jobs } = await startWith(answer);

    await rejection(jobs.submit(paidJob));

    expect(store.events()).toEqual(["intent", "failed"]);
    expect(JSON.parse(store.kept[1]?.text ?? "")).toMatchObject({ outcome: "refused", code });
    expect(await jobs.recover()).toEqual({ waiting: [], unknown: [], finished: [], damaged: [] });
  });

  it.each<[string, Answer, string]>([
    ["a 500", failure(500), "server_error"],
    ["silence", silence, "timeout"],
  ])("is unknown after %s", async (_, answer, code) => {
    const { jobs } = await startWith(answer, success({ jobs: [] }));

    await rejection(jobs.submit(paidJob, { timeoutMs: 60 }));

    expect(await jobs.recover()).toMatchObject({ unknown: [{ code, candidates: [] }] });
  });

  it("has one candidate where a broken answer named its job", async () => {
    const named = success({ job_id: "job-7" }, 202);
    const job = { job_id: "job-7", status: "queued" };
    const { jobs } = await startWith(
      named,
      success({ jobs: [{ ...job, job_id: "x" }] }),
      success(job),
    );

    await rejection(jobs.submit(paidJob));

    const { unknown } = await jobs.recover();
    expect(unknown).toMatchObject([{ code: "decode", jobId: "job-7", candidates: [job] }]);
  });
});

it("a journal in memory keeps of acknowledged submissions the jobs alone", async () => {
  const journal = createMemoryJournal();
  const body = { ...paidJob, prompt: "x".repeat(200) };
  const count = 2_000;
  for (let index = 0; index < count; index++) {
    const submission = journal.track({ body, json: JSON.stringify(body), url: undefined });
    await submission.begin();
    await submission.accepted(`job-${index}`, 1_000);
    await journal.acknowledge(`job-${index}`);
  }
  const parse = vi.spyOn(JSON, "parse");

  await journal.load();
  const characters = parse.mock.calls.reduce((sum, [text]) => sum + text.length, 0);

  expect(characters / count).toBeLessThan(450);
  expect((await rejection(journal.acknowledge("job-0"))).message).toContain("is none of an open");
});

it("a journal in memory keeps what a process has submitted", async () => {
  const server = await listen(queued("job-7"));
  const { jobs } = clientOf(server, { journal: createMemoryJournal() });
  await jobs.submit(paidJob);

  expect((await jobs.recover()).waiting).toMatchObject([{ job_id: "job-7", request: paidJob }]);
});
