import { createJournal } from "adgen-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { queued, reset, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { createTestStore } from "./kept-records.ts";

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

it("a store that reads no list is named as the trouble", async () => {
  const read = async () => null as unknown as string[];
  const journal = createJournal({ append: async () => {}, read });

  expect(await rejection(journal.load())).toMatchObject({ code: "journal" });
});
