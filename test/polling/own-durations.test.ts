import { createLearnedDurations, type LearnedDurations, pollJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import type * as Library from "../../src/index.ts";
import { createScriptedClient, submitted, teach, useFakedTime } from "./scripted-client.ts";

useFakedTime();

/** Another copy of the library, as the CommonJS files are beside the ES modules. */
const loadCopy = async (): Promise<typeof Library> => {
  vi.resetModules();
  return import("../../src/index.ts");
};

/** When the first poll after a submission comes, in milliseconds. */
const firstPollWith = async (durations: LearnedDurations, wait: typeof pollJob = pollJob) => {
  const { client, polls } = createScriptedClient([submitted(), "completed"], { durations });
  const waited = wait(client, await client.jobs.submit({ action: "generate-ad" }));
  await vi.runAllTimersAsync();
  expect(await waited).toEqual({ job_id: "job_1", status: "completed" });
  return polls[1];
};

describe("durations of another copy of the package", () => {
  test("teach the waits of a client, and of that copy", async () => {
    const copy = await loadCopy();
    expect(copy.createLearnedDurations).not.toBe(createLearnedDurations);
    for (const [create, wait] of [
      [copy.createLearnedDurations, pollJob],
      [createLearnedDurations, copy.pollJob],
    ] as const) {
      const firstMs = await firstPollWith(teach(create(), 60, 20_000), wait);
      expect(firstMs).toBeGreaterThan(19_000);
      expect(firstMs).toBeLessThan(24_000);
    }
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

describe("durations of one's own", () => {
  const bug = new Error("the disk is full");
  const fail = (): never => {
    throw bug;
  };
  const ofVersion2 = { version: 2, actions: { "generate-ad": Array(60).fill([300, 301]) } };
  const wrongVersion = expect.objectContaining({ message: "its version must be 1, got 2" });
  const [toJSON, add] = ["durations.toJSON", "durations.add"].map((n) => `adgen-sdk: ${n} failed`);

  test.each<[string, object, unknown[]]>([
    ["of another form", { add: () => {}, toJSON: () => ofVersion2 }, [toJSON, wrongVersion]],
    ["that throw", { add: fail, toJSON: fail }, [toJSON, bug, add, bug]],
  ])("%s are not read, lose no finished job, and are told of", async (_, durations, printed) => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    expect(await firstPollWith(durations as LearnedDurations)).toBe(2_000);
    expect(print.mock.calls.flat()).toEqual(printed);
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
    const names = [Symbol.keyFor(key ?? Symbol()), ...Object.keys(memory ?? {})].join(" ");
    // Where the names change, the number in the key must rise.
    expect(names).toBe(
      "adgen-sdk.memory.3 durations noteSubmitted submissionOf noteSeen hasSeen seenAt underWay failures",
    );
  });
});
