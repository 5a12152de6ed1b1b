import { describe, expect, it } from "vitest";
import { failure, raw, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { doubtOfSubmission } from "../helpers/doubt.ts";
import { listen } from "../helpers/http-server.ts";

const refusals = [400, 401, 402, 404, 429];
const doubts = [
  300, 304, 403, 405, 406, 408, 409, 410, 411, 413, 415, 418, 422, 423, 425, 426, 428, 431, 451,
  499, 500, 501, 502, 503, 504, 505, 507, 511, 520, 599,
];

describe("the outcome of a failed submission", () => {
  it.each(refusals)("is refused after a %i", async (status) => {
    const server = await listen(failure(status, "no such luck"));

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(error).toMatchObject({ status, outcome: "refused", attempts: 1 });
    expect(error.message).toBe(`POST /v1/jobs answered ${status}: no such luck`);
  });

  it.each(refusals)("is refused after a %i without an envelope", async (status) => {
    const server = await listen(raw(status, "<html>"));

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(error).toMatchObject({ status, outcome: "refused", contentType: "" });
  });

  it.each(doubts)("is unknown after a %i", async (status) => {
    const server = await listen(failure(status));

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(server.received).toHaveLength(1);
    expect(error).toMatchObject({ name: "ApiError", status, outcome: "unknown" });
    expect(error.message.endsWith(doubtOfSubmission)).toBe(true);
  });

  it("is not-sent on a port that fetch blocks", async () => {
    const client = clientOf({ url: "http://127.0.0.1:6000" }, { maxRetries: 0 });

    const error = await rejection(client.jobs.submit(paidJob));

    expect(error).toMatchObject({ code: "connection", outcome: "not-sent" });
    expect(error.message).toBe("POST /v1/jobs got no answer: port 6000 is blocked by fetch");
  });

  it("is unknown after a success that says failure", async () => {
    const server = await listen(failure(202, "odd"));

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(error).toMatchObject({ name: "ApiError", status: 202, outcome: "unknown" });
    expect(error.message).toBe(`POST /v1/jobs answered 202: odd${doubtOfSubmission}`);
  });
});

describe("the outcome of other calls", () => {
  it("is part of the error of every write", async () => {
    const server = await listen(failure(404));
    const { brands, savedAds } = clientOf(server);
    const errors = await Promise.all(
      [
        brands.create({ name: "a" }),
        brands.update("b", { name: "a" }),
        brands.delete("b"),
        savedAds.create({ brand_id: "b" }),
        savedAds.delete("a"),
      ].map(rejection),
    );

    const refused = { code: "not_found", outcome: "refused" };
    expect(errors).toMatchObject([refused, refused, refused, refused, refused]);
  });

  it("is not part of the error of a read, which changes nothing", async () => {
    const server = await listen(failure(404), success({}), failure(403));
    const { jobs } = clientOf(server);

    for (let n = 0; n < 3; n++) {
      const error = await rejection(jobs.get("j"));
      expect(error.outcome).toBeUndefined();
      expect(error.message).not.toContain("may");
    }
  });
});
