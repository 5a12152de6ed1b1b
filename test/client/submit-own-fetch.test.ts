import { describe, expect, it } from "vitest";
import { createClient, markAsNotSent } from "../../src/index.ts";
import { fetchError, paidJob, rejection, testKey } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";

/** Makes a client whose own `fetch` throws so often, and then answers; notes the bodies. */
const failing = (thrown: unknown, times = 1) => {
  const calls: string[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    if (calls.push(await request.text()) <= times) throw thrown;
    const data = { job_id: "job-1", status: "queued" };
    return Response.json({ success: true, data, error: null }, { status: 202 });
  };
  return { calls, client: createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch }) };
};

describe("submit through the caller's fetch", () => {
  it.each(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT", "ECONNRESET"])(
    "is made once, and is unknown after %s",
    async (code) => {
      const { calls, client } = failing(fetchError(code));

      const error = await rejection(client.jobs.submit(paidJob, { maxRetries: 10 }));

      expect(calls).toHaveLength(1);
      expect(error).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
      expect(error.message).toBe(
        `POST /v1/jobs got no answer: connect ${code}${doubtOfSubmission}`,
      );
    },
  );

  it.each<[string, object]>([
    ["a plain error", new Error("offline")],
    ["the error of a fetch", fetchError("ECONNREFUSED")],
    ["an error without a code", new TypeError("Failed to fetch")],
    ["a DOMException", new DOMException("no network", "NetworkError")],
    ["an object that is no error", { message: "offline" }],
  ])("is made again after %s that is marked as not sent", async (_, thrown) => {
    const { calls, client } = failing(markAsNotSent(thrown), 2);

    const job = await client.jobs.submit(paidJob);

    expect(job.job_id).toBe("job-1");
    expect(calls).toEqual(Array(3).fill(JSON.stringify(paidJob)));
  });

  it("is not-sent when its last error is marked", async () => {
    const { calls, client } = failing(markAsNotSent(new Error("offline")), 9);

    const error = await rejection(client.jobs.submit(paidJob, { maxRetries: 1 }));

    expect(calls).toHaveLength(2);
    expect(error).toMatchObject({ code: "connection", outcome: "not-sent", attempts: 2 });
    expect(error.message).toBe("POST /v1/jobs got no answer: offline");
  });

  it("is unknown from the first error on that is not marked", async () => {
    const thrown = [markAsNotSent(new Error("offline")), new Error("cut"), new Error("never")];
    let calls = 0;
    const fetch = async (): Promise<Response> => {
      throw thrown[calls++];
    };
    const client = createClient({ baseUrl: "http://ads.test", apiKey: testKey, fetch });

    const error = await rejection(client.jobs.submit(paidJob, { maxRetries: 10 }));

    expect(calls).toBe(2);
    expect(error).toMatchObject({ outcome: "unknown", attempts: 2 });
  });

  it.each([undefined, null, "text", 7, Symbol("s"), Object.create(null)])(
    "is unknown after %o, which is no error",
    async (thrown) => {
      const { calls, client } = failing(thrown);

      const error = await rejection(client.jobs.submit(paidJob));

      expect(calls).toHaveLength(1);
      expect(error).toMatchObject({ code: "connection", outcome: "unknown" });
    },
  );
});

describe("a read through the caller's fetch", () => {
  it("is made again after any failed connection, and has no outcome", async () => {
    const { calls, client } = failing(fetchError("ECONNRESET"), 9);

    const error = await rejection(client.jobs.get("j", { maxRetries: 1 }));

    expect(calls).toHaveLength(2);
    expect(error).toMatchObject({ code: "connection", attempts: 2 });
    expect(error.outcome).toBeUndefined();
  });
});

it("markAsNotSent gives back the same error, with a mark that no printer shows", () => {
  const error = new Error("offline");

  expect(markAsNotSent(error)).toBe(error);
  expect(Object.keys(error)).toEqual([]);
  expect(JSON.stringify({ ...error })).toBe("{}");
});
