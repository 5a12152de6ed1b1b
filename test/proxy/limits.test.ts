import { createClient, PaymentRequiredError } from "adgen-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import { failure } from "../helpers/answers.ts";
import { failureOf, openProxy, perDay } from "./proxy-under-test.ts";

const day = 86_400_000;

afterEach(() => {
  vi.useRealTimers();
});

test("a proxy does not start with limits that are null", async () => {
  const limits = null as unknown as [];
  const message = "limits must be a list of limits, or a function";
  await expect(openProxy({ limits })).rejects.toMatchObject({ code: "config", message });
});

describe("a limit", () => {
  test("lets exactly seven of fifty at once through", async () => {
    const { submit, service, used } = await openProxy(perDay({ jobs: 7 }));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => submit("ann", {}, `call-${index}`)),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(7);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(43);
    expect(service.charges).toHaveLength(7);
    expect([await used(), await used("bob")]).toEqual([[7], [0]]);
  });

  test("of jobs is not used up meanwhile by a picture that another limit refuses", async () => {
    const held = Promise.withResolvers<void>();
    const pictures = { windowMs: 2 * day, imageCredits: 1 };
    const { submit, meet } = await openProxy({ limits: [{ windowMs: day, jobs: 1 }, pictures] });
    meet(async ({ args: [id], go }) => {
      if (String(id).startsWith(`limit:ann:${2 * day}:`)) await held.promise;
      return go();
    });
    const picture = submit("ann", { action: "generate-ad", variations: 2 });
    expect((await submit("ann", { action: "generate-ad-copy" })).status).toBe(202);
    held.resolve();
    expect((await picture).status).toBe(402);
  });

  test("is not locked by a video of any length, with anyone as owner", async () => {
    const { submit, service, memory, used } = await openProxy(perDay({ jobs: 2 }));
    const longest = { action: "video-a-2", duration: 1e9, variations: 10 };
    const refused = await submit("ann", { ...longest, duration: 1e303 }, "call-1");
    expect(failureOf(refused)).toMatchObject({ status: 400, outcome: "refused" });
    expect([memory.values.size, service.received.length]).toEqual([0, 0]);
    expect((await submit("ann", longest)).status).toBe(202);
    expect((await submit("ann")).status).toBe(202);
    expect([(await submit("ann")).status, await used()]).toEqual([402, [2]]);
  });

  test.each([
    ["jobs", 202, 3],
    ["videoSeconds", 402, 1e15],
  ] as const)("of %s goes on where an amount was written as null", async (kind, status, used) => {
    const stage = await openProxy(perDay({ [kind]: 3 }));
    const video = { action: "video-a-2", duration: 1 };
    await stage.submit("ann", video);
    const [[id, entry] = expect.fail()] = [...stage.memory.values].filter(([id]) =>
      id.startsWith("limit:"),
    );
    // As version 0.11 wrote a sum that JSON cannot say.
    const text = '{"jobs":2,"imageCredits":0,"videoSeconds":null}';
    stage.memory.values.set(id, { ...entry, text });
    expect((await stage.submit("ann", video)).status).toBe(status);
    expect(await stage.used()).toEqual([used]);
    expect((await stage.submit("ann", video)).status).toBe(402);
  });

  test("says in words of its own which one it is, and when it is over", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1, 23, 59) });
    const { submit, proxy, service } = await openProxy(perDay({ jobs: 1 }));
    await submit("ann");
    const refused = await submit("ann");
    expect(failureOf(refused)).toEqual({
      ...{ status: 402, outcome: "refused", success: false, data: null },
      error:
        "this app's limit is reached: 1 jobs in 24 hours for each user, and this job takes 1. " +
        "Nothing was sent or charged; try again in 60 seconds",
    });
    expect(refused.headers["retry-after"]).toBe("60");
    const limit = { kind: "jobs", limit: 1, windowMs: day, endsAt: Date.UTC(2026, 0, 2) };
    expect(JSON.parse(refused.body)).toMatchObject({ limit });
    const errorOf = async (owner: string) => {
      const page = { baseUrl: "http://proxy", apiKey: null, fetch: proxy.fetchAs(owner) };
      const error = await createClient(page).jobs.submit({ action: "generate-ad" }).catch(Object);
      expect(error).toBeInstanceOf(PaymentRequiredError);
      return error;
    };
    expect(await errorOf("ann")).toMatchObject({ limit, outcome: "refused" });
    // The service's own credits are no limit of the app.
    service.play({ answer: failure(402) });
    expect(await errorOf("bob")).not.toHaveProperty("limit");
    expect(service.sent("POST")).toHaveLength(2);
    vi.setSystemTime(Date.UTC(2026, 0, 2, 0, 0, 1));
    expect([(await submit("ann")).status, (await submit("ann")).status]).toEqual([202, 402]);
  });

  test("of 0 lets no job through, and leaves brands, ads and reads alone", async () => {
    const { submit, make, statusOf, service } = await openProxy(perDay({ jobs: 0 }));
    expect((await submit("ann")).status).toBe(402);
    await make("ann", "/v1/saved-ads", { brand_id: await make("ann") });
    expect(await statusOf("ann", "/v1/jobs")).toBe(200);
    expect(service.charges.map(({ kind }) => kind)).toEqual(["brands", "ads"]);
  });

  test("stands once for each window, or the proxy does not start; a function says it by the owner", async () => {
    const one = { windowMs: day, jobs: 7 };
    await expect(openProxy({ limits: [one, { ...one, jobs: 5 }] })).rejects.toMatchObject({
      code: "config",
      message: expect.stringContaining("limits[1] limits jobs"),
    });
    for (const nothing of [{ windowMs: day }, { window: "day", imageCredits: undefined }]) {
      await expect(openProxy({ limits: [one, nothing] as never })).rejects.toMatchObject({
        code: "config",
        message: expect.stringMatching(
          /limits\[1\] bounds nothing: give one of jobs, imageCredits/,
        ),
      });
    }
    const others = [one, { windowMs: day, imageCredits: 7 }, { windowMs: 2 * day, jobs: 7 }];
    const limits = async (owner: string) => (owner === "ann" ? [{ ...one, jobs: 1 }] : others);
    const { submit, proxy } = await openProxy({ limits });
    for (const owner of ["ann", "bob"]) await submit(owner);
    expect((await submit("ann")).status).toBe(402);
    expect((await submit("bob")).status).toBe(202);
    expect(await proxy.usage("ann")).toMatchObject([{ kind: "jobs", used: 1, limit: 1 }]);
  });
});

test("a picture costs its variations, a video its seconds times them, and a text nothing", async () => {
  const { submit, used, service } = await openProxy(perDay({ imageCredits: 10, videoSeconds: 30 }));
  const costs: [body: object, used: number[], status?: number][] = [
    [{ variations: 4 }, [4, 0]],
    [{}, [5, 0]],
    [{ action: "generate-ad-copy", variations: 10 }, [5, 0]],
    [{ action: "video-b-3-0", duration: 8 }, [5, 8]],
    [{ action: "video-a-2-pro", duration: 2.5, variations: 2 }, [5, 13]],
    [{ action: "video-a-2", duration: 18 }, [5, 13], 402],
    [{ variations: 6 }, [5, 13], 402],
    [{ variations: 5 }, [10, 13]],
  ];
  for (const [body, now, status = 202] of costs) {
    expect([(await submit("ann", body)).status, await used()]).toEqual([status, now]);
  }
  expect(service.charges).toHaveLength(6);
});
