import { createClient, createJournal, createMemoryJournal, pollJobs } from "adgen-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { failure, queued, reset, success } from "../helpers/answers.ts";
import { clientOf, paidJob, pause, rejection } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { createTestStore, recordOf, type TestStore } from "./kept-records.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const job = (id: string, status = "queued") => ({ job_id: id, status });
const listOf = (...ids: string[]): Answer => success({ jobs: ids.map((id) => job(id)) });

/** Answers in turn; a client of a later process takes over the store. */
const startWith = async (...answers: Answer[]) => {
  const server = await listen(...answers);
  const store = createTestStore();
  const open = (from: TestStore = store) => {
    const journal = createJournal(from);
    return { journal, jobs: clientOf(server, { journal, maxRetries: 0 }).jobs };
  };
  return { server, store, open, ...open() };
};

describe("jobs.recover", () => {
  it("gives the jobs of an earlier process to wait for, oldest first", async () => {
    const completed = success({ status: "completed", result: 1 });
    const { server, open, jobs } = await startWith(queued("a"), queued("b"), completed);
    await jobs.submit(paidJob);
    await jobs.submit({ action: "video-a-2", prompt: "Later" });
    const journal = open().journal;
    const client = clientOf(server, { journal });

    const { waiting } = await client.jobs.recover();

    expect(waiting).toMatchObject([
      { job_id: "a", action: "generate-ad", request: paidJob },
      { job_id: "b", action: "video-a-2", request: { prompt: "Later" } },
    ]);
    expect(server.received).toHaveLength(2);
    expect(await pollJobs(client, waiting)).toHaveLength(2);
    await vi.waitFor(async () => {
      expect(await client.jobs.recover()).toMatchObject({ waiting: [], finished: [{}, {}] });
    });
  });

  it("gives an unknown submission the recent jobs that the journal does not know", async () => {
    const { open, jobs } = await startWith(queued("a"), reset, listOf("c", "b", "a"));
    await jobs.submit(paidJob);
    await rejection(jobs.submit({ ...paidJob, prompt: "Lost" }));

    const { waiting, unknown } = await open().jobs.recover({ limit: 50 });

    expect(waiting).toMatchObject([{ job_id: "a" }]);
    expect(unknown).toMatchObject([{ code: "connection", request: { prompt: "Lost" } }]);
    expect(unknown[0]?.candidates).toEqual([job("c"), job("b")]);
  });

  it("asks for as many jobs as it is told to", async () => {
    const { server, jobs } = await startWith(reset, listOf());
    await rejection(jobs.submit(paidJob));

    await jobs.recover({ limit: 50 });

    expect(server.received[1]?.url).toBe("/v1/jobs?limit=50");
  });

  it("does not take a submission that is under way here for unknown", async () => {
    let answer = (): void => {};
    const late: Answer = (response, request) => {
      answer = () => queued("a")(response, request);
    };
    const { server, open, jobs } = await startWith(late, listOf("a"));
    const submitted = jobs.submit(paidJob);
    await vi.waitFor(() => expect(server.received).toHaveLength(1));

    expect((await jobs.recover()).unknown).toEqual([]);
    expect((await open().jobs.recover()).unknown).toHaveLength(1);
    expect((await open().jobs.recover({ minAgeMs: 60_000 })).unknown).toEqual([]);

    answer();
    await submitted;
    expect(await jobs.recover()).toMatchObject({ unknown: [], waiting: [{ job_id: "a" }] });
  });

  it.each([
    ["51 ms", 51, {}],
    ["an hour", 3_600_000, { minAgeMs: 60_000 }],
  ])("tells an unknown submission after the clock was set back by %s", async (_, ms, options) => {
    const { open, jobs } = await startWith(reset, listOf("a"));
    await rejection(jobs.submit(paidJob));
    vi.spyOn(Date, "now").mockReturnValue(Date.now() - ms);

    const { unknown } = await open().jobs.recover(options);

    expect(unknown).toMatchObject([{ candidates: [job("a")] }]);
  });

  it("says for how long a job may still be listed, whatever the clock does", async () => {
    const { open, jobs } = await startWith(reset, listOf());
    await rejection(jobs.submit(paidJob));
    const later = open();
    const mayArrive = async (options?: object) =>
      (await later.jobs.recover(options)).unknown.map(({ mayStillArrive }) => mayStillArrive);

    for (const days of [10, -10]) {
      vi.spyOn(Date, "now").mockReturnValue(Date.now() + days * 24 * 3_600_000);
      expect(await mayArrive()).toEqual([true]);
    }
    await pause(30);
    expect(await mayArrive({ settleMs: 30 })).toEqual([false]);
    expect(await mayArrive({ settleMs: 60_000 })).toEqual([true]);
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 3_600_000);
    expect(await mayArrive({ settleMs: 30, minAgeMs: 60_000 })).toEqual([true]);
    expect(await rejection(later.jobs.recover({ settleMs: -1 }))).toMatchObject({
      code: "invalid_request",
    });
  });

  it("counts from the failure of a submission of its own", async () => {
    const { journal, jobs } = await startWith(reset, listOf());
    await journal.load();
    await pause(30);
    await rejection(jobs.submit(paidJob));

    expect(await jobs.recover({ settleMs: 30 })).toMatchObject({
      unknown: [{ mayStillArrive: true }],
    });
  });

  it("shows nothing of an intent that is refused meanwhile, nor after it", async () => {
    const { store, jobs } = await startWith(listOf());
    const { read } = store;
    // The record of the failure is refused, too.
    store.beforeAppend = () => Promise.reject(new Error("full"));
    store.read = async () => {
      expect(await rejection(jobs.submit(paidJob))).toMatchObject({ outcome: "not-sent" });
      return read();
    };

    expect((await jobs.recover()).unknown).toEqual([]);
    store.read = read;
    expect((await jobs.recover()).unknown).toEqual([]);
  });

  it("misses no record that comes while the store is read", async () => {
    const { store, jobs } = await startWith(queued("a"));
    const { read } = store;
    store.read = async () => {
      const texts = await read();
      await jobs.submit(paidJob);
      return texts;
    };

    expect(await jobs.recover()).toMatchObject({ waiting: [{ job_id: "a" }], unknown: [] });
  });

  it("tells of records that cannot be read, and goes on", async () => {
    const { store, jobs } = await startWith(queued("a"));
    await jobs.submit(paidJob);
    const texts = ["garbage", "null", "{}", '{"v":2,"id":"x","at":"y","event":"intent"}'];
    store.kept.push(...texts.map((text) => ({ id: "", text, isDurable: true })));

    expect(await jobs.recover()).toMatchObject({ waiting: [{ job_id: "a" }], damaged: texts });
  });

  it("waits for a job whose intent cannot be read", async () => {
    const { store, open, jobs } = await startWith(queued("a"));
    await jobs.submit(paidJob);
    store.kept.shift();

    const { waiting } = await open().jobs.recover();

    expect(waiting).toEqual([
      { id: expect.any(String), submittedAt: expect.any(String), request: {}, job_id: "a" },
    ]);
  });

  it("does not mind the order of records, nor copies of them", async () => {
    const { store, open, jobs } = await startWith(queued("a"), queued("b"));
    await jobs.submit(paidJob);
    await jobs.submit(paidJob);
    const expected = await jobs.recover();
    store.kept.reverse();
    store.kept.push(...store.kept);

    expect(await open().jobs.recover()).toEqual(expected);
  });

  it("gives all but candidates where the service cannot be asked, and says why", async () => {
    const { jobs } = await startWith(queued("a"), reset, failure(401));
    await jobs.submit(paidJob);
    await rejection(jobs.submit(paidJob));

    expect(await jobs.recover()).toMatchObject({
      waiting: [{ job_id: "a" }],
      unknown: [{ candidates: undefined }],
      candidatesError: { code: "unauthorized" },
    });
  });

  it("rejects when the store cannot be read, and ends with its signal", async () => {
    const { store, jobs } = await startWith(queued("a"));
    const cause = new Error("down");
    store.read = () => Promise.reject(cause);
    expect(await rejection(jobs.recover())).toMatchObject({ code: "journal", cause });

    store.read = () => new Promise(() => {});
    const signal = AbortSignal.timeout(20);
    expect(await rejection(jobs.recover({ signal }))).toMatchObject({ code: "aborted" });
  });

  it("needs a journal, and good options", async () => {
    const { jobs } = await startWith(queued("a"));
    const without = clientOf({ url: "http://ads.test" });

    const error = await rejection(without.jobs.recover());
    expect(error).toMatchObject({ code: "config" });
    expect(error.message).toBe("jobs.recover needs a journal: createClient({ journal })");
    expect(await rejection(jobs.recover({ limit: 0.5 }))).toMatchObject({
      code: "invalid_request",
    });
  });
});

describe("createJournal", () => {
  it.each([[undefined], [new Map()], [{ append: async () => {} }]])(
    "refuses %s as a store, before the first submission",
    (store) => {
      expect(() => createJournal(store as never)).toThrow(/takes a store: \{ append, read/);
    },
  );
});

describe("createClient", () => {
  it.each([[{}], ["data/journal"], [null], [Promise.resolve(createMemoryJournal())]])(
    "refuses %s as a journal",
    (journal) => {
      expect(() =>
        createClient({ baseUrl: "http://a", apiKey: "k", journal: journal as never }),
      ).toThrow(
        /journal must be a journal \(of openFileJournal or createJournal\), got (an object|"data\/journal"|null|a Promise)/,
      );
    },
  );
});

describe("a poll of a job", () => {
  it("that shows it finished is noted, by a later process too", async () => {
    const { store, open, jobs } = await startWith(
      queued("a"),
      success({ status: "processing" }),
      success({ status: "completed", result: 1 }),
    );
    await jobs.submit(paidJob);
    const { jobs: later } = open();

    await later.get("a");
    expect(store.events()).toEqual(["intent", "accepted"]);
    await later.get("a");
    await later.get("a");
    await vi.waitFor(() => expect(store.events()).toEqual(["intent", "accepted", "finished"]));
  });

  it("of others changes nothing", async () => {
    const { store, jobs } = await startWith(success({ status: "completed", result: 1 }));
    await jobs.get("stranger");
    await jobs.recover();

    expect(store.kept).toEqual([]);
  });
});

describe("a decision", () => {
  const startUnknown = async (...answers: Answer[]) => {
    const started = await startWith(reset, listOf("a"), ...answers);
    await rejection(started.jobs.submit(paidJob));
    const [lost] = (await started.jobs.recover()).unknown;
    return { ...started, id: lost?.id ?? "" };
  };

  it("adopts a job, which is then waited for", async () => {
    const { journal, open, id } = await startUnknown();

    await journal.adopt(id, job("a"));

    expect(await open().jobs.recover()).toMatchObject({
      waiting: [{ id, job_id: "a" }],
      unknown: [],
    });
  });

  it("dismisses a submission that made no job", async () => {
    const { journal, open, id } = await startUnknown();

    await journal.dismiss(id);

    expect(await open().jobs.recover()).toMatchObject({ waiting: [], unknown: [] });
  });

  it("is refused for submissions that are not unknown, and for bad ids", async () => {
    const { journal, id } = await startUnknown();
    await journal.adopt(id, "a");

    for (const refused of [journal.adopt(id, "b"), journal.dismiss(id), journal.dismiss("x")]) {
      expect(await rejection(refused)).toMatchObject({ code: "invalid_request" });
    }
    const error = await rejection(journal.adopt(id, ""));
    expect(error.message).toBe('a job\'s id must be a non-empty string, got ""');
    expect(await rejection(journal.acknowledge("b"))).toMatchObject({ code: "invalid_request" });
  });

  it("acknowledges a result that was saved, so that no process gets it again", async () => {
    const { open, jobs } = await startWith(
      queued("a"),
      queued("b"),
      success({ status: "completed", result: 1 }),
    );
    await jobs.submit(paidJob);
    await jobs.submit(paidJob);
    await jobs.get("a");
    const { journal, jobs: later } = open();
    expect(await later.recover()).toMatchObject({
      waiting: [{ job_id: "b" }],
      finished: [{ job_id: "a", finishedAt: expect.any(String) }],
    });

    await journal.acknowledge("a");
    await journal.acknowledge({ job_id: "b" });

    expect(await open().jobs.recover()).toMatchObject({ waiting: [], finished: [] });
    expect(await rejection(journal.acknowledge("a"))).toMatchObject({ code: "invalid_request" });
  });

  it("acknowledges each of many finished jobs, and does not read the store for it", async () => {
    const { store, open } = await startWith(listOf());
    for (let count = 0; count < 10_050; count++) {
      const id = `s${count}`;
      store.kept.push(recordOf(id, { event: "accepted", jobId: `job_${count}` }));
      store.kept.push(recordOf(id, { event: "finished" }));
    }
    const { journal, jobs } = open();
    expect((await jobs.recover()).finished).toHaveLength(10_050);
    const read = vi.spyOn(store, "read");

    for (const id of ["job_0", "job_10049"]) await journal.acknowledge(id);

    expect(read).not.toHaveBeenCalled();
    expect((await jobs.recover()).finished).toHaveLength(10_048);
  });

  it("that cannot be written is an error of the journal", async () => {
    const { store, journal, id } = await startUnknown();
    store.beforeAppend = () => Promise.reject(new Error("full"));

    expect(await rejection(journal.dismiss(id))).toMatchObject({ code: "journal" });
  });
});

describe("a week after its end", () => {
  const week = 7 * 24 * 3_600_000;

  const startIn = (time: number): void => {
    vi.useFakeTimers({ toFake: ["Date"], now: time });
  };

  it("a result is offered once more, because the clock may have been behind", async () => {
    const now = Date.now();
    startIn(now - 10 * 24 * 3_600_000);
    const { store, open, jobs } = await startWith(
      queued("a"),
      success({ status: "completed", result: 1 }),
    );
    await jobs.submit(paidJob);
    await jobs.get("a");
    startIn(now);

    expect(await open().jobs.recover()).toMatchObject({ finished: [{ job_id: "a" }] });
    startIn(now + week - 1_000);
    expect(await open().jobs.recover()).toMatchObject({ finished: [{ job_id: "a" }] });
    expect(store.events()).toEqual(["intent", "accepted", "finished", "finished"]);
    startIn(now + week + 1_000);
    expect(await open().jobs.recover()).toMatchObject({ finished: [] });
    expect(store.kept).toEqual([]);
  });

  it("a submission is forgotten; one that is open stays", async () => {
    const { store, open, jobs } = await startWith(
      queued("a"),
      success({ status: "completed", result: 1 }),
      queued("b"),
      failure(402),
      listOf(),
    );
    await jobs.submit(paidJob);
    await jobs.get("a");
    await jobs.submit(paidJob);
    await rejection(jobs.submit(paidJob));
    expect(store.kept).toHaveLength(7);
    const now = Date.now();
    startIn(now + week + 1_000);
    await open().jobs.recover();
    startIn(now + 2 * week + 2_000);

    expect(await open().jobs.recover()).toMatchObject({ waiting: [{ job_id: "b" }], finished: [] });

    expect(store.events()).toEqual(["intent", "accepted"]);
  });
});
