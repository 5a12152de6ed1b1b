import { describe, expect, it } from "vitest";
import { failure, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { listen } from "../helpers/http-server.ts";

const byProxy = { apiKey: null };

describe("a proxy's word on a write", () => {
  it.each([
    [503, "not-sent"],
    [502, "refused"],
    [409, "refused"],
    [402, "not-sent"],
    [402, "unknown"],
  ])("is believed over the status %i: %s", async (status, outcome) => {
    const server = await listen(failure(status, "no", { "adgen-outcome": outcome }));

    const error = await rejection(clientOf(server, byProxy).jobs.submit(paidJob));

    expect(error).toMatchObject({ status, outcome, attempts: 1 });
    expect(error.message.endsWith(doubtOfSubmission)).toBe(outcome === "unknown");
  });

  it.each(["", "sent", "toString", "refused, unknown"])(
    "counts for nothing where it is %j",
    async (said) => {
      const server = await listen(failure(502, "no", { "adgen-outcome": said }));

      const error = await rejection(clientOf(server, byProxy).jobs.submit(paidJob));

      expect(error.outcome).toBe("unknown");
    },
  );

  it("counts for nothing from the service itself", async () => {
    const server = await listen(failure(502, "no", { "adgen-outcome": "not-sent" }));

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(error.outcome).toBe("unknown");
  });

  it("never takes back the doubt of an earlier attempt", async () => {
    const server = await listen(
      failure(429, "wait", { "retry-after": "0", "adgen-outcome": "refused" }),
      failure(503, "no", { "adgen-outcome": "not-sent" }),
      success({}),
    );

    const error = await rejection(clientOf(server, byProxy).brands.create({ name: "a" }));

    expect(error).toMatchObject({ status: 503, outcome: "not-sent", attempts: 2 });
    const lost = await listen(
      failure(503, "no", { "adgen-outcome": "unknown" }),
      failure(503, "no", { "adgen-outcome": "not-sent" }),
      failure(503, "no", { "adgen-outcome": "not-sent" }),
    );
    const deletion = await rejection(clientOf(lost, byProxy).brands.delete("b"));
    expect(deletion).toMatchObject({ outcome: "unknown", attempts: 3 });
  });

  it("says nothing of a read", async () => {
    const server = await listen(failure(404, "no", { "adgen-outcome": "unknown" }));

    const error = await rejection(clientOf(server, byProxy).jobs.get("job-1"));

    expect(error.outcome).toBeUndefined();
  });
});
