import { pollJob } from "adgen-sdk";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { offline, type Poll, refused, seen, silent } from "../polling/scripted-client.ts";
import { type Connect, direct, fromPage } from "./without-network.ts";

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  return () => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  };
});

const page =
  (status: number): Poll =>
  () =>
    new Response("<h1>Sorry</h1>", { status, headers: { "content-type": "text/html" } });

const done: Poll = () => {
  const data = { job_id: "job-1", status: "completed", result: { images: [] }, more: [1] };
  return Response.json({ success: true, data, error: null });
};

/** The end of a wait. */
interface Ended {
  readonly at: number;
  readonly value?: unknown;
  readonly error?: Readonly<Record<string, unknown>>;
  /** Times of the polls that the service has seen. */
  readonly polls: readonly number[];
}

/** Waits for a job, all in virtual time. */
const wait = async (script: readonly Poll[], connect: Connect): Promise<Ended> => {
  const startedAt = performance.now();
  const now = (): number => Math.round(performance.now() - startedAt);
  const polls: number[] = [];
  const send = async (request: Request): Promise<Response> => {
    const poll = script[Math.min(polls.length, script.length - 1)] as Poll;
    polls.push(now());
    return poll(request);
  };
  const client = await connect(send);
  let ended: Omit<Ended, "polls"> | undefined;
  pollJob(client, "job-1", { timeoutMs: 120_000 }).then(
    (value) => {
      ended = { at: now(), value };
    },
    ({ code, status, jobId, lastJob }) => {
      ended = { at: now(), error: { code, status, jobId, lastJob } };
    },
  );
  await vi.runAllTimersAsync();
  if (ended === undefined) throw new Error("The wait goes on.");
  return { ...ended, polls };
};

const outage = [offline, page(502), refused(503), refused(504), refused(429, 2), refused(500)];

const scripts: Record<string, readonly Poll[]> = {
  "an outage": [seen("processing"), ...outage, done],
  "an outage from the start": [...outage, done],
  "stray pages": [seen("processing"), page(404), page(401), page(403), page(200), done],
  silence: [seen("processing"), silent, done],
  "wishes for the next poll": [seen("queued", 5), seen("processing", 7), refused(503, 9), done],
  "a job that is gone": [seen("processing"), refused(404)],
  "a job that is not there": [refused(404)],
  "a job that comes late": [refused(404), refused(404), seen("queued"), done],
  "a request that it refuses": [seen("processing"), refused(400)],
  "a job that does not end": [seen("processing")],
};

describe("a wait behind the proxy", () => {
  test.each(Object.keys(scripts))(
    "ends as without it, at the same time, after %s",
    async (name) => {
      const script = scripts[name] ?? [];

      expect(await wait(script, fromPage())).toEqual(await wait(script, direct));
    },
  );

  test("goes on when the service refuses the proxy, whose key is being changed", async () => {
    const script = [seen("processing"), refused(401), refused(403), done];

    expect(await wait(script, direct)).toMatchObject({ error: { code: "unauthorized" } });
    expect(await wait(script, fromPage())).toMatchObject({ value: { status: "completed" } });
  });

  test("for somebody else's job ends as that for an unknown one, unseen by the service", async () => {
    const stranger = await wait([done], fromPage({ authorize: () => "bob" }));

    const { at, error } = await wait([refused(404)], direct);
    expect(stranger).toEqual({ at, error, polls: [] });
    expect(at).toBe(10_000);
  });

  test("ends at once when the user is no longer signed in", async () => {
    const ended = await wait([done], fromPage({ authorize: () => undefined }));

    expect(ended).toMatchObject({ at: 0, error: { code: "unauthorized", status: 401 }, polls: [] });
  });
});
