import { createJournal, type JournalRecord, type JournalStore, toResult } from "adgen-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { queued, reset, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { createTestStore, recordOf } from "./kept-records.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A journal with a job and one submission of unknown outcome. */
const loseOne = async () => {
  const server = await listen(queued("mine"), reset, success({ jobs: [] }));
  const store = createTestStore();
  const journal = createJournal(store);
  const { jobs } = clientOf(server, { journal, maxRetries: 0 });
  await jobs.submit(paidJob);
  await rejection(jobs.submit(paidJob));
  const [lost] = (await jobs.recover()).unknown;
  return { store, journal, jobs, id: String(lost?.id) };
};

const idsOf = (waiting: readonly { readonly job_id: string }[]): string[] =>
  waiting.map(({ job_id }) => job_id);

describe("two decisions at once about one submission", () => {
  it("are the first, and a refusal of the second", async () => {
    const { journal, jobs, id } = await loseOne();

    const decided = await Promise.allSettled([
      journal.adopt(id, "a"),
      journal.adopt(id, "b"),
      journal.dismiss(id),
    ]);

    expect(decided.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
    expect(idsOf((await jobs.recover()).waiting)).toEqual(["mine", "a"]);
  });
});

describe("a decision", () => {
  it("cannot give a submission the job of another one", async () => {
    const { journal, jobs, id } = await loseOne();

    const error = await rejection(journal.adopt(id, "mine"));

    expect(error).toMatchObject({ code: "invalid_request" });
    expect(error.message).toContain('the job "mine" is that of the submission');
    expect((await jobs.recover()).unknown).toHaveLength(1);
  });

  it("reads the store once for many that follow each other", async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `s${index}`);
    const intent = { event: "intent", action: "generate-ad", request: {} };
    const store = createTestStore(ids.map((id) => recordOf(id, intent)));
    const journal = createJournal(store);
    const read = vi.spyOn(store, "read");

    for (const id of ids.slice(0, 50)) await journal.dismiss(id);
    for (const id of ids.slice(50)) await journal.adopt(id, `job-${id}`);

    expect(read.mock.calls.length).toBeLessThan(5);
    for (const refused of [journal.dismiss("s0"), journal.adopt("s1", "x")]) {
      expect((await rejection(refused)).message).toContain("is closed, and not unknown");
    }
    expect((await rejection(journal.adopt("s50", "x"))).message).toContain("is waiting, and not");
  });

  it("is refused for a submission that was answered since the store was read", async () => {
    const store = createTestStore([recordOf("lost", { event: "intent", request: {} })]);
    const journal = createJournal(store);
    const submission = journal.track({ body: paidJob, json: "{}", url: undefined });
    await submission.begin();
    const id = String(store.kept[1]?.id);
    await journal.adopt("lost", "a");
    expect((await rejection(journal.dismiss(id))).message).toContain("is under way, and not");

    await submission.accepted("b", 1_000);

    expect((await rejection(journal.dismiss(id))).message).toContain("is waiting, and not");
  });

  it("is an error of the journal when the store does not answer", async () => {
    const { journal, store, id } = await loseOne();
    store.beforeAppend = () => new Promise(() => {});
    vi.useFakeTimers();

    const error = rejection(journal.dismiss(id));
    await vi.advanceTimersByTimeAsync(60_000);

    expect(await error).toMatchObject({
      code: "journal",
      message: "the journal cannot be written: it took longer than 60000 ms",
    });
  });
});

describe("an adoption that a later answer contradicts", () => {
  /** Loses one submission, and holds back the answer to the next one, whose job is listed. */
  const startTwins = async () => {
    let answer = (): void => {};
    const late: Answer = (response, request) => {
      answer = () => queued("twin")(response, request);
    };
    const listed = success({ jobs: [{ job_id: "twin", status: "queued" }] });
    const completed = success({ job_id: "twin", status: "completed", result: {} });
    const server = await listen((response, request) => {
      const { method, url } = request;
      const posts = server.received.filter((received) => received.method === "POST").length;
      if (method === "POST") return (posts === 1 ? reset : late)(response, request);
      return (url.endsWith("/twin") ? completed : listed)(response, request);
    });
    const store = createTestStore();
    const journal = createJournal(store);
    const { jobs } = clientOf(server, { journal, maxRetries: 0 });
    await rejection(jobs.submit({ ...paidJob, prompt: "Lost" }));
    const submitted = jobs.submit({ ...paidJob, prompt: "Slow" });
    await vi.waitFor(() => expect(server.received).toHaveLength(2));
    const answerLate = async () => {
      answer();
      await submitted;
    };
    const reopen = () => clientOf(server, { journal: createJournal(store) }).jobs;
    return { store, journal, jobs, answerLate, reopen };
  };

  const lost = { request: { prompt: "Lost" }, candidates: [], openElsewhere: 0 };
  const slow = { request: { prompt: "Slow" }, job_id: "twin" };

  it("is open again, and the answered submission keeps its job", async () => {
    const { journal, jobs, answerLate, reopen } = await startTwins();
    const { unknown } = await jobs.recover();
    expect(unknown).toMatchObject([{ candidates: [{ job_id: "twin" }], openElsewhere: 1 }]);
    await journal.adopt(String(unknown[0]?.id), "twin");

    await answerLate();

    for (const later of [jobs, reopen()]) {
      expect(await later.recover()).toMatchObject({ waiting: [slow], unknown: [lost] });
    }
    await journal.acknowledge("twin");
    expect(await reopen().recover()).toMatchObject({ waiting: [], unknown: [lost] });
  });

  it("is open again where its result was acknowledged, too", async () => {
    const { store, journal, jobs, answerLate, reopen } = await startTwins();
    const [first] = (await jobs.recover()).unknown;
    await journal.adopt(String(first?.id), "twin");
    await jobs.get("twin");
    await journal.acknowledge("twin");
    expect(store.events()).toContain("acknowledged");

    await answerLate();

    for (const later of [jobs, reopen()]) {
      expect(await later.recover()).toMatchObject({ waiting: [slow], unknown: [lost] });
    }
  });

  it("ends nothing of the job that is adopted next, in any order of the records", async () => {
    const { store, journal, jobs, answerLate } = await startTwins();
    const [first] = (await jobs.recover()).unknown;
    const id = String(first?.id);
    await journal.adopt(id, "twin");
    await jobs.get("twin");
    await journal.acknowledge("twin");
    await answerLate();
    await journal.adopt(id, "right");
    expect(store.events().sort()).toEqual([
      "accepted",
      "accepted",
      "accepted",
      "acknowledged",
      "failed",
      "finished",
      "intent",
      "intent",
    ]);
    const overdue = { event: "finished", isOverdue: true, jobId: "twin" };
    const kept = [...store.kept, recordOf(id, overdue)];
    const orders = kept.flatMap((record) => {
      const others = kept.filter((other) => other !== record);
      return [
        [record, ...others],
        [record, ...others.reverse()],
      ];
    });

    for (const order of orders) {
      const later = createJournal(createTestStore(order));
      expect(await later.recover({}, {} as never)).toMatchObject({
        waiting: [{ id, request: lost.request, job_id: "right" }, slow],
        unknown: [],
        finished: [],
      });
    }
    await journal.acknowledge("right");
    expect((await jobs.recover()).waiting).toMatchObject([slow]);
  });

  it("counts the records of earlier versions, which name no job, until then", async () => {
    const adopted = recordOf("s1", { event: "accepted", jobId: "a", isAdopted: true });
    const finished = recordOf("s1", { event: "finished" });
    const acknowledged = recordOf("s1", { event: "acknowledged" });
    const answered = recordOf("s2", { event: "accepted", jobId: "a" });
    const service = { list: async () => ({ items: [], meta: {} }) };
    const recover = (...records: JournalRecord[]) =>
      createJournal(createTestStore(records)).recover({}, service as never);

    expect(await recover(adopted, finished)).toMatchObject({ finished: [{ job_id: "a" }] });
    const none = { waiting: [], unknown: [], finished: [] };
    expect(await recover(adopted, finished, acknowledged)).toMatchObject(none);
    const open = { waiting: [{ id: "s2" }], unknown: [{ id: "s1" }], finished: [] };
    expect(await recover(adopted, finished, acknowledged, answered)).toMatchObject(open);
  });
});

describe("a record that the store refused", () => {
  it("is written soon after the store works again, without another record", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.useFakeTimers();
    const store = createTestStore();
    const journal = createJournal(store);
    const body = { ...paidJob };
    const submission = journal.track({ body, json: JSON.stringify(body), url: undefined });
    await submission.begin();
    store.beforeAppend = () => {
      throw new Error("ENOSPC");
    };
    await submission.accepted("a", 1_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(store.events()).toEqual(["intent"]);

    store.beforeAppend = () => {};
    await vi.advanceTimersByTimeAsync(10_000);

    expect(store.events()).toEqual(["intent", "accepted"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is tried for about an hour, and then with the next record", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    vi.useFakeTimers();
    const store = createTestStore();
    const journal = createJournal(store);
    const body = { ...paidJob };
    const track = () => journal.track({ body, json: JSON.stringify(body), url: undefined });
    const submission = track();
    await submission.begin();
    store.beforeAppend = () => {
      throw new Error("ENOSPC");
    };
    await submission.accepted("a", 1_000);
    await vi.runAllTimersAsync();
    expect(store.events()).toEqual(["intent"]);

    store.beforeAppend = () => {};
    await track().begin();

    expect(store.events()).toEqual(["intent", "intent", "accepted"]);
  });
});

it("a large store may take its time, as long as records come", async () => {
  vi.useFakeTimers();
  const records = ["a", "b", "c"].map((id) => recordOf(id, { event: "accepted", jobId: id }));
  async function* readSlowly() {
    for (const { text } of records) {
      await new Promise((resolve) => setTimeout(resolve, 40_000));
      yield text;
    }
  }
  const store: JournalStore = { append: async () => {}, read: async () => readSlowly() };
  const journal = createJournal(store);
  const loading = toResult(journal.load());
  await vi.advanceTimersByTimeAsync(120_000);
  expect(await loading).toMatchObject({ ok: true });

  store.read = () => new Promise(() => {});
  const error = rejection(journal.load());
  await vi.advanceTimersByTimeAsync(120_000);

  expect((await error).message).toBe("the journal's store gave no record for 60000 ms");
});

it("a store that reads no list is named as the trouble", async () => {
  const read = async () => null as unknown as string[];
  const journal = createJournal({ append: async () => {}, read });

  expect(await rejection(journal.load())).toMatchObject({ code: "journal" });
});
