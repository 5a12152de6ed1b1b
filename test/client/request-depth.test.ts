import { describe, expect, it } from "vitest";
import type { JobRequest } from "../../src/index.ts";
import { queued } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

function nest(depth: number): unknown {
  let value: unknown = "bottom";
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

describe("a request body", () => {
  it.each([501, 5_000, 100_000])("is refused when it is nested %i levels deep", async (depth) => {
    const server = await listen(queued());

    const error = await rejection(
      clientOf(server).jobs.submit({ ...paidJob, x: nest(depth) } as JobRequest),
    );

    expect(server.received).toHaveLength(0);
    expect(error).toMatchObject({ code: "invalid_request", outcome: "not-sent" });
    expect(error.message).toMatch(/ cannot be sent: it is nested more than 500 levels deep$/);
    expect(error.message.length).toBeLessThan(2_100);
  });

  it("is sent when it is nested less deeply", async () => {
    const server = await listen(queued());

    await clientOf(server).jobs.submit({ ...paidJob, x: nest(400) } as JobRequest);

    expect(JSON.parse(server.received[0]?.body ?? "")).toEqual({ ...paidJob, x: nest(400) });
  });
});
