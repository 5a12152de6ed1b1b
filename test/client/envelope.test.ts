import { describe, expect, it } from "vitest";
import { failure, queued, raw, success } from "../helpers/answers.ts";
import { clientOf, paidJob, rejection } from "../helpers/client.ts";
import { doubtOfSubmission, doubtWithJob } from "../helpers/doubt.ts";
import { listen } from "../helpers/http-server.ts";
import { checkBaseUrl } from "../helpers/stranger.ts";

const json = (body: unknown, status = 200) => raw(status, JSON.stringify(body));
const job = { job_id: "j", status: "queued" };

describe("a success", () => {
  it("gives its data with undocumented fields", async () => {
    const data = { ...job, status: "processing", progress: 0.5, nested: { list: [1, null] } };
    const server = await listen(json({ success: true, data, error: null, extra: { trace: 1 } }));

    expect(await clientOf(server).jobs.get("j")).toEqual(data);
  });

  it("need not say the job's id, but must not say another one's", async () => {
    const server = await listen(
      success({ status: "queued" }),
      success({ ...job, job_id: "other" }),
    );
    const { jobs } = clientOf(server);

    expect(await jobs.get("j")).toEqual({ job_id: "j", status: "queued" });
    expect(await rejection(jobs.get("j"))).toMatchObject({
      name: "DecodeError",
      code: "decode",
      jobId: "j",
      reason: "data",
      issues: [{ path: ["job_id"], message: 'expected "j", got "other"' }],
      received: { success: true, data: { job_id: "other" } },
      message: expect.stringMatching(/^GET \S+ answered job_id "other", asked for "j"$/),
    });
  });

  it("may come under any status from 200 to 299", async () => {
    const server = await listen(
      success({ id: "b" }, 200),
      success({ id: "b" }, 202),
      success({ id: "b" }, 299),
    );
    const { brands } = clientOf(server);

    for (let n = 0; n < 3; n++) expect(await brands.update("b", {})).toEqual({ id: "b" });
  });

  it("may come without a content type, or with a wrong one", async () => {
    const text = JSON.stringify({ success: true, data: { status: "queued" }, error: null });
    const server = await listen(raw(200, text), raw(200, text, { "content-type": "text/html" }));
    const { jobs } = clientOf(server);

    expect(await jobs.get("j")).toMatchObject({ status: "queued" });
    expect(await jobs.get("j")).toMatchObject({ status: "queued" });
  });
});

const broken: [string, unknown][] = [
  ["no success", { data: job, error: null }],
  ["no error", { success: true, data: job }],
  ["a success that is no boolean", { success: "true", data: job, error: null }],
  ["a success that is 1", { success: 1, data: job, error: null }],
  ["an error beside its success", { success: true, data: job, error: "but" }],
  ["an empty error beside its success", { success: true, data: job, error: "" }],
  ["no data", { success: true, error: null }],
  ["null data", { success: true, data: null, error: null }],
  ["data that is a list", { success: true, data: [job], error: null }],
  ["data that is a text", { success: true, data: "queued", error: null }],
  ["data without its fields", { success: true, data: {}, error: null }],
  ["a status that is no text", { success: true, data: { job_id: "j", status: 1 }, error: null }],
  ["the bare data", job],
  ["an empty object", {}],
  ["null", null],
  ["a number", 42],
  ["a text", "ok"],
  ["a list", [{ success: true, data: job, error: null }]],
];

describe("an answer with status 200", () => {
  it.each(broken)("and %s is not decoded", async (_, body) => {
    const server = await listen(json(body));

    const error = await rejection(clientOf(server).jobs.get("j"));

    expect(error).toMatchObject({ name: "DecodeError", code: "decode", status: 200, jobId: "j" });
    expect(error).toHaveProperty("received", body);
    expect(Object.keys(error)).not.toContain("received");
  });

  const page = "<!doctype html><html><body>Welcome</body></html>";
  it.each([
    ["nothing", "", undefined, " without a body"],
    ["white space", " \n", undefined, ", not JSON"],
    ["HTML", page, "text/html; charset=utf-8", " with text/html, not JSON"],
    ["half of its JSON", '{"success":true,"data":{"status":"queu', undefined, ", not JSON"],
    ["JSON and more", '{"success":true,"data":{},"error":null}{}', undefined, ", not JSON"],
    ["JavaScript", "{success:true,data:{status:'queued'},error:null}", undefined, ", not JSON"],
  ])("and %s is not decoded", async (_, body, contentType, what) => {
    const server = await listen(raw(200, body, contentType ? { "content-type": contentType } : {}));
    const hint = body === "" ? "" : checkBaseUrl(server.url);

    const error = await rejection(clientOf(server).jobs.get("j"));

    expect(error).toMatchObject({
      name: "DecodeError",
      status: 200,
      reason: "not-json",
      contentType: contentType?.split(";")[0] ?? "",
      message: `GET /v1/jobs/j answered 200${what}${hint}`,
    });
    expect(error.received).toBeUndefined();
  });

  it("and success false is a failure", async () => {
    const server = await listen(failure(200, "not today"));

    expect(await rejection(clientOf(server).jobs.get("j"))).toMatchObject({
      name: "ApiError",
      code: "unexpected_status",
      status: 200,
      message: "GET /v1/jobs/j answered 200: not today",
    });
  });
});

describe("a submission's answer", () => {
  it.each([
    ["no job id", { status: "queued" }, "job_id"],
    ["a job id that is a number", { job_id: 1, status: "queued" }, "job_id"],
    ["no status", { job_id: "j" }, "status"],
  ])("with %s is kept in the error, as a job may exist", async (_, data, field) => {
    const server = await listen(success(data, 202));

    const error = await rejection(clientOf(server).jobs.submit(paidJob));

    expect(error).toMatchObject({
      name: "DecodeError",
      status: 202,
      outcome: "unknown",
      issues: [{ path: [field], message: expect.any(String) }],
      received: { success: true, data, error: null },
    });
    expect(error.message).toContain(field);
    expect(error.message.endsWith(error.jobId ? doubtWithJob : doubtOfSubmission)).toBe(true);
  });

  it("keeps the undocumented fields", async () => {
    const data = { ...job, cost: { image: 4 } };
    const server = await listen(success(data, 202), queued());

    expect(await clientOf(server).jobs.submit(paidJob)).toEqual(data);
  });
});

describe("a deletion's answer", () => {
  it.each([
    ["200 with the id", success({ id: "b", deleted: true }), {}],
    ["200 with more", success({ id: "b", deleted: true, at: 1 }), { at: 1 }],
    ["202 with an empty object", success({}, 202), {}],
    ["200 with null data", success(null), {}],
    ["200 without a body", raw(200), {}],
    ["202 without a body", raw(202), {}],
    ["204", raw(204), {}],
  ])("may be %s", async (_, answer, more) => {
    const server = await listen(answer);
    const { brands, savedAds } = clientOf(server);

    expect(await brands.delete("b")).toEqual({ id: "b", deleted: true, ...more });
    expect(await savedAds.delete("b")).toEqual({ id: "b", deleted: true, ...more });
  });

  it.each([
    ["HTML", raw(200, "<html>"), "decode"],
    ["half an envelope", json({ success: true, data: null }), "decode"],
    ["a list", success([]), "decode"],
    ["a failure", failure(200), "unexpected_status"],
  ])("must not be %s", async (_, answer, code) => {
    const server = await listen(answer);

    const error = await rejection(clientOf(server).brands.delete("b"));

    expect(error).toMatchObject({ code, status: 200, outcome: "unknown" });
  });

  it("may be empty, and so may that of an update, but no other", async () => {
    const server = await listen(raw(204));
    const { jobs, brands, savedAds } = clientOf(server);

    expect(await brands.update("b", {})).toEqual({ id: "b" });
    for (const call of [
      () => jobs.get("j"),
      () => jobs.list(),
      () => brands.create({ name: "a" }),
      () => savedAds.create({ brand_id: "b" }),
    ]) {
      expect(await rejection(call())).toMatchObject({ code: "decode", status: 204 });
    }
  });
});
