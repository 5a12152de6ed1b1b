import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { submitMany } from "../../src/index.ts";
import { failure, queued } from "../helpers/answers.ts";
import { clientOf, paidJob, pause, rejection, testKey, timed } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { once, open, posts, startWith, unsent } from "./paid-scene.ts";

let printed = vi.spyOn(console, "error");
beforeEach(() => {
  printed = vi.spyOn(console, "error").mockImplementation(() => {});
});
afterEach(() => void vi.restoreAllMocks());

describe("a store that fails", () => {
  const broken = new Error("ENOSPC: no space left on device");

  it("refuses the call before anything is sent; the same id again is safe", async () => {
    const { server, store, jobs } = await startWith(queued("job-7"));
    const { swap } = store;
    store.swap = () => Promise.reject(broken);

    const error = await rejection(jobs.submit(paidJob, { once }));

    // An earlier call by this id may have sent it.
    expect(error).toMatchObject({
      ...unsent,
      name: "StoreError",
      code: "store",
      outcome: "unknown",
    });
    expect(error.message).toContain("ENOSPC");
    expect(error.cause).toBe(broken);
    expect(posts(server)).toBe(0);
    store.swap = swap;
    expect(await jobs.submit(paidJob, { once })).toMatchObject({ job_id: "job-7" });
    expect(posts(server)).toBe(1);
  });

  it("ends the call in its time where it hangs, and nothing is sent later", async () => {
    const { server, store, jobs } = await startWith(queued("job-7"));
    const { swap } = store;
    let goOn = (): void => {};
    store.swap = async (...input) => {
      await new Promise<void>((resolve) => {
        goOn = resolve;
      });
      store.swap = swap;
      return swap(...input);
    };

    const { value: error, ms } = await timed(() =>
      rejection(jobs.submit(paidJob, { timeoutMs: 80 })),
    );
    goOn();
    await pause(20);

    expect(error).toMatchObject({ ...unsent, code: "store", outcome: "not-sent" });
    expect(error.message).toContain("80 ms");
    expect(ms).toBeLessThan(20_000);
    expect(posts(server)).toBe(0);
    await expect.poll(async () => (await jobs.recover()).underWay).toEqual([]);
  });

  it("does not keep an answered job from its caller, nor from repeats in this process", async () => {
    const { server, store, jobs } = await startWith(queued("job-7"));
    const { swap } = store;
    store.swap = async (id, expected, next) => {
      if (next?.text.includes('"settled"')) throw broken;
      return swap(id, expected, next);
    };

    const options = { once, timeoutMs: 200 };
    expect(await jobs.submit(paidJob, options)).toMatchObject({ job_id: "job-7" });
    expect(await jobs.submit(paidJob, options)).toMatchObject({ job_id: "job-7" });

    expect(posts(server)).toBe(1);
    expect(printed).toHaveBeenCalled();
  });
});

it("sends nothing after a suspension that was longer than the record may wait", async () => {
  const { server, store } = await startWith(queued("job-7"));
  const now = vi.spyOn(Date, "now");
  const apiKey = async (): Promise<string> => {
    const suspendedUntil = Date.now() + 3_600_000;
    now.mockImplementation(() => suspendedUntil);
    return testKey;
  };
  const { jobs } = open(server, store, { apiKey });

  const error = await rejection(jobs.submit(paidJob, { once }));

  expect(error).toMatchObject({ code: "timeout", outcome: "not-sent" });
  expect(error.message).toContain("timed out after a suspension of the process");
  expect(posts(server)).toBe(0);
  now.mockRestore();
  expect(await open(server, store).jobs.submit(paidJob, { once })).toMatchObject({
    job_id: "job-7",
  });
});

it("makes no second attempt after a suspension", async () => {
  const now = vi.spyOn(Date, "now");
  const slowDown: Answer = (response, received) => {
    const suspendedUntil = Date.now() + 3_600_000;
    now.mockImplementation(() => suspendedUntil);
    failure(429, "no", { "retry-after": "0" })(response, received);
  };
  const { server, jobs } = await startWith(slowDown, queued("job-7"));

  const error = await rejection(jobs.submit(paidJob, { once }));

  expect(error).toMatchObject({ code: "timeout", outcome: "refused" });
  expect(posts(server)).toBe(1);
});

describe("without submissions", () => {
  it("once is refused, with the way to a store, and nothing is sent", async () => {
    const server = await listen(queued());
    const { jobs, brands, savedAds } = clientOf(server);

    for (const call of [
      jobs.submit(paidJob, { once }),
      jobs.submitAndPoll(paidJob, { once }),
      brands.create({ name: "a" }, { once }),
      savedAds.create({} as never, { once }),
    ]) {
      const error = await rejection(call);
      expect(error).toMatchObject({ name: "ConfigError", outcome: "not-sent" });
      expect(error.message).toMatch(/once needs a store: .*createSubmissions.*openFileStore/);
    }
    expect(server.received).toEqual([]);
  });

  it("once is the Idempotency-Key for a proxy that adds the key", async () => {
    const server = await listen(queued());
    const { jobs } = clientOf(server, { apiKey: null, headers: { "Idempotency-Key": "other" } });

    await jobs.submit(paidJob, { once });

    expect(server.received[0]?.headers["idempotency-key"]).toBe(once);
  });

  it.each(["order 17", "größe", "x".repeat(129)])("a proxy gets no id like %j", async (id) => {
    const server = await listen(queued());
    const { jobs } = clientOf(server, { apiKey: null });

    const error = await rejection(jobs.submit(paidJob, { once: id }));

    expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
    expect(error.message).toContain("once must have 1 to 128 visible ASCII characters");
    expect(server.received).toEqual([]);
  });
});

it("never sends its id to the service itself", async () => {
  const { server, jobs } = await startWith(queued());

  await jobs.submit(paidJob, { once });

  expect(server.received[0]?.headers).not.toHaveProperty("idempotency-key");
});

it.each<[unknown, string]>([
  ["", 'got ""'],
  [17, "got 17"],
  ["x".repeat(513), "got"],
])("refuses %j as an id", async (id, got) => {
  const { server, client } = await startWith(queued());

  const error = await rejection(client.jobs.submit(paidJob, { once: id as string }));

  expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
  expect(error.message).toContain(`once must be text of 1 to 512 characters, ${got}`);
  expect(() => submitMany(client, [paidJob], { once: () => id as string })).toThrow(
    "once of requests[0] must be text of 1 to 512 characters",
  );
  expect(server.received).toEqual([]);
});

it("is no option of reads, changes and deletions", async () => {
  const { server, client } = await startWith(queued());

  for (const call of [
    client.jobs.get("job-1", { once } as object),
    client.brands.update("b", {}, { once } as object),
    client.brands.delete("b", { once } as object),
  ]) {
    expect((await rejection(call)).message).toContain('has no option "once"');
  }
  expect(server.received).toEqual([]);
});
