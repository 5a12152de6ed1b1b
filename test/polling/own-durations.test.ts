import { createLearnedDurations, type LearnedDurations, pollJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import type * as Library from "../../src/index.ts";
import {
  createScriptedClient,
  submitted,
  teach,
  useFakedTime,
  watchPromise,
} from "./scripted-client.ts";

useFakedTime();

/** Another copy of the library, as the CommonJS files are beside the ES modules. */
const loadCopy = async (): Promise<typeof Library> => {
  vi.resetModules();
  return import("../../src/index.ts");
};

/** When the first poll after a submission comes, in milliseconds. */
const firstPollWith = async (
  durations: LearnedDurations,
  wait: typeof pollJob = pollJob,
): Promise<number | undefined> => {
  const { client, polls } = createScriptedClient([submitted(), "completed"], { durations });
  const job = await client.jobs.submit({ action: "generate-ad" });
  const waited = wait(client, job);
  await vi.runAllTimersAsync();
  await waited;
  return polls[1];
};

describe("durations of another copy of the package", () => {
  test("teach the waits of a client", async () => {
    const { createLearnedDurations: createOther } = await loadCopy();
    expect(createOther).not.toBe(createLearnedDurations);
    const firstMs = await firstPollWith(teach(createOther(), 60, 20_000));
    expect(firstMs).toBeGreaterThan(19_000);
    expect(firstMs).toBeLessThan(24_000);
  });

  test("teach the waits that another copy begins for a client", async () => {
    const { pollJob: pollOfCopy } = await loadCopy();
    const firstMs = await firstPollWith(teach(createLearnedDurations(), 60, 20_000), pollOfCopy);
    expect(firstMs).toBeGreaterThan(19_000);
    expect(firstMs).toBeLessThan(24_000);
  });

  test("learn from the waits of a client", async () => {
    const durations = (await loadCopy()).createLearnedDurations();
    await firstPollWith(durations);
    expect(Object.keys(durations.toJSON().actions)).toEqual(["generate-ad"]);
  });

  test("are read once for all polls of a ticket", async () => {
    const { createPollTicket, pollOnce } = await loadCopy();
    const durations = createLearnedDurations();
    const read = vi.spyOn(durations, "toJSON");
    const { client } = createScriptedClient(["processing"], { durations });
    let ticket = createPollTicket("job_1");
    for (let polls = 0; polls < 3; polls++) {
      const polled = await pollOnce(client, ticket);
      if (!polled.done) ({ ticket } = polled);
    }
    expect(ticket.polls).toBe(3);
    expect(read).toHaveBeenCalledOnce();
  });
});

describe("durations of one's own that throw", () => {
  const bug = new Error("the disk is full");
  const fail = (): never => {
    throw bug;
  };

  test("are not read where their snapshot has another form", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const actions = { "generate-ad": Array(60).fill([300, 301]) };
    const toJSON = () => ({ version: 2, actions }) as never;

    expect(await firstPollWith({ add: () => {}, toJSON })).toBeLessThan(3_000);

    const message = "its version must be 1, got 2";
    expect(print.mock.calls).toEqual([
      ["adgen-sdk: durations.toJSON failed", expect.objectContaining({ message })],
    ]);
  });

  test("lose no finished job", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const { client, now } = createScriptedClient([submitted(), "completed"], {
      durations: { add: fail, toJSON: fail },
    });
    const settled = watchPromise(client.jobs.submitAndPoll({ action: "generate-ad" }), now);

    await vi.runAllTimersAsync();

    expect(settled.value).toMatchObject({ job_id: "job_1", status: "completed" });
    expect(print.mock.calls).toEqual([
      ["adgen-sdk: durations.toJSON failed", bug],
      ["adgen-sdk: durations.add failed", bug],
    ]);
  });
});

describe("the memory of a client's jobs", () => {
  test("is none for a wait of a version whose memory has another shape", async () => {
    const { client } = createScriptedClient(["completed"]);
    const jobs = { ...client.jobs };
    for (const key of Object.getOwnPropertySymbols(jobs)) Reflect.deleteProperty(jobs, key);
    Object.assign(jobs, { [Symbol.for("adgen-sdk.memory")]: {} });
    expect(await pollJob({ jobs }, "job_1")).toMatchObject({ status: "completed" });
  });

  test("lies under a key that names its shape", () => {
    const { client } = createScriptedClient(["completed"]);
    const [key] = Object.getOwnPropertySymbols(client.jobs);
    const memory = (client.jobs as unknown as Record<symbol, object>)[key ?? Symbol()];

    // Where the names change, the number in the key must rise.
    expect([Symbol.keyFor(key ?? Symbol()), ...Object.keys(memory ?? {})]).toEqual([
      "adgen-sdk.memory.3",
      "durations",
      "noteSubmitted",
      "submissionOf",
      "noteSeen",
      "hasSeen",
      "seenAt",
      "underWay",
      "failures",
    ]);
  });
});
