import { beforeAll, expect, test } from "vitest";
import { answerWithText } from "../helpers/answers.ts";
import { type Asked, dataOf, failureOf, openProxy, openWithThings } from "./proxy-under-test.ts";

/**
 * Number of requests that make Ann's brand-1, its ad-2, job-3 and job-4, which Eve tries to get.
 */
const before = 4;

const job = { action: "generate-ad", prompt: "Eve's" };

/** Returns JSON that `JSON.stringify` cannot produce. */
const text = (members: string): string => `{"action":"generate-ad","prompt":"Eve's",${members}}`;

let stage: Awaited<ReturnType<typeof openWithThings>>;
beforeAll(async () => {
  stage = await openWithThings("ann");
});

const method = "POST";
const path = "/v1/saved-ads";
const brand = "/v1/brands/brand-1";
const places: [place: string, asked: Asked][] = [
  ["of a job", { path: "/v1/jobs/job-3" }],
  ["of a job, asked for its head", { method: "HEAD", path: "/v1/jobs/job-3" }],
  ["of a job, escaped", { path: "/v1/jobs/%6aob-3" }],
  ["of a brand", { path: `${brand}/ads` }],
  ["of a brand to change", { method: "PATCH", path: brand, body: { name: "E" } }],
  ["of a brand to delete", { method: "DELETE", path: brand }],
  ["of an ad to delete", { method: "DELETE", path: "/v1/saved-ads/ad-2" }],
  ["of a job as a brand", { method: "DELETE", path: "/v1/brands/job-3" }],
  ["in a job", { method, body: { ...job, brand_id: "brand-1" } }],
  ["of a job in a job", { method, body: { ...job, job_id: "job-3" } }],
  ["of a job in a list", { method, body: { ...job, job_ids: ["job-3"] } }],
  ["of a job in an ad", { method, path, body: { name: "Eve's", job_id: "job-3" } }],
  ["in an ad", { method, path, body: { brand_id: "brand-1" } }],
  ["under an escaped key", { method, body: text('"br\\u0061nd_id":"brand-1"') }],
  ["escaped itself", { method, body: text('"brand_id":"\\u0062rand-1"') }],
  ["after another", { method, body: text('"brand_id":"none","brand_id":"brand-1"') }],
];
test.each(places)("somebody else's id %s gets the same 404 as an unknown id", async (_, asked) => {
  const { ask, service } = stage;
  const answerTo = async (asked: Asked) => {
    const { status, headers, body } = await ask("eve", asked);
    const { date, ...others } = headers;
    return { status, headers: others, body };
  };
  const known = await answerTo(asked);
  const other: Asked = JSON.parse(JSON.stringify(asked).replace(/(rand|ad|ob)-[123]/g, "$1-9"));
  expect(other).not.toEqual(asked);
  expect(known).toEqual(await answerTo(other));
  expect([known.status, service.received.length]).toEqual([404, before]);
});

const fields = [
  ...['"Brand_ID":"brand-1"', '"brandId":"brand-1"'],
  ...['"ad_id":"ad-2"', '"adId":"ad-2"', '"saved_ad_id":"ad-2"', '"savedAdIds":["ad-2"]'],
  ...['"source_ad_id":"ad-2"', '"source_job_id":"job-3"', '"parent_brand_id":"brand-1"'],
  ...['"brand_id":["brand-1"]', '"brand_id":{"id":"brand-1"}'],
];
test.each(fields)(
  "a POST with somebody else's id in %s is refused before anything is sent",
  async (members) => {
    const asked = { method: "POST", body: text(members) };
    const inAd = await stage.ask("eve", { ...asked, path: "/v1/saved-ads" });
    expect(failureOf(inAd)).toMatchObject({ status: 404, outcome: "refused", error: "Not found" });
    // Another spelling of a job's own parameter is refused as such.
    const { status, outcome } = failureOf(await stage.ask("eve", asked));
    expect([status === 400 || status === 404, outcome]).toEqual([true, "refused"]);
    expect(stage.service.received).toHaveLength(before);
  },
);

test("an unusable id gets the 404 of an unknown id", async () => {
  const { ask, service, errors } = stage;
  for (const id of ["\ud800", "", " ", ".", "a\nb", "x".repeat(257), 7, {}]) {
    for (const name of ["brand_id", "job_id", "ad_id"]) {
      const answered = await ask("eve", { method: "POST", body: { ...job, [name]: id } });
      const refusal = { status: 404, outcome: "refused", error: "Not found" };
      expect({ id, ...failureOf(answered) }).toMatchObject({ id, ...refusal });
    }
  }
  expect([errors, service.received.length]).toEqual([[], before]);
});

test("the owner of an id may use it, and other fields may hold the same text", async () => {
  const { submit, statusOf, ask, service } = await openWithThings("ann");
  const ids = { upload_id: "ad-2", threadId: "ad-2", load_ids: ["ad-2"] };
  const words = { ...ids, job: "job-3", LEAD_ID: 7 };
  expect((await submit("eve", words)).status).toBe(202);
  expect(JSON.parse(service.received.at(-1)?.body ?? "")).toMatchObject(words);
  const own = { brand_id: "brand-1", job_id: "job-3", saved_ad_id: "ad-2" };
  expect((await submit("ann", own)).status).toBe(202);
  expect(await statusOf("ann", "/v1/jobs/job-3")).toBe(200);
  for (const path of ["/v1/saved-ads/ad-2", "/v1/brands/brand-1"]) {
    expect((await ask("ann", { method: "DELETE", path })).status).toBe(200);
  }
});

test("a service that mixes up ids gives no owner somebody else's thing", async () => {
  const { submit, make, statusOf, ask, service } = await openWithThings("ann");
  const edit = (envelope: string) => envelope.replace(/job-[56]/, "job-3");
  service.play({ edit });
  const answered = await submit("eve", {}, "call-1");
  expect(failureOf(answered)).toMatchObject({ status: 502, outcome: "unknown", data: null });
  expect(await statusOf("eve", "/v1/jobs/job-3")).toBe(404);
  expect(await statusOf("ann", "/v1/jobs/job-3")).toBe(200);
  await submit("eve");
  service.play({ edit });
  const read = await ask("eve", { path: "/v1/jobs/job-6" });
  expect([read.status, read.body.includes("job-3")]).toEqual([502, false]);
  const path = `/v1/brands/${await make("eve")}`;
  service.play({ edit: (envelope) => envelope.replace(/brand-\d+/, "brand-1") });
  const changed = await ask("eve", { method: "PATCH", path, body: { name: "Eve's" } });
  expect([changed.status, changed.body.includes("brand-1")]).toEqual([502, false]);
});

// A service may echo what it was sent. Eve sends the id that Ann's job will have.
const json = { "content-type": "application/json" };
const echoed = '"job_id":"job-1"';
const failed = `{"success":false,"data":{${echoed}},"error":"x",${echoed}}`;
const echoes: [what: string, status: number, body: string][] = [
  ["a 422 in JSON", 422, `{"detail":[{"msg":"too long","input":{${echoed}}}]}`],
  ["a 422 in the envelope", 422, failed],
  ["a 400 in the envelope", 400, failed],
  ["a 500 as text", 500, `cannot make {${echoed}}`],
  ["a 500 with an id of its own", 500, '{"success":false,"error":"x","id":"job-1"}'],
  ["a redirect", 307, `{"success":true,"data":{${echoed},"status":"queued"},"error":null}`],
  ["a 202 as text", 202, `made of {${echoed}}`],
  ["a 202 that is cut off", 202, `{"success":true,"data":{"input":{${echoed}},"job_`],
  ["a 202 without id", 202, `{"success":true,"data":{"input":{${echoed}}},"error":null}`],
  ["a 202 that is a failure", 202, failed],
];
test.each(echoes)(
  "an id that the service echoes in %s gives nobody the job",
  async (_, status, body) => {
    const { submit, statusOf, list, service } = await openProxy();
    service.play({ answer: answerWithText(status, body, json) });
    const refused = dataOf(await submit("eve", { prompt: `{${echoed}}` }, "call-1"));
    expect([refused.success, refused.data, refused.job_id]).toEqual([false, null, undefined]);

    await submit("ann", { prompt: "Ann's" }, "call-2");
    expect(await statusOf("ann", "/v1/jobs/job-1")).toBe(200);
    expect(await statusOf("eve", "/v1/jobs/job-1")).toBe(404);
    expect([await list("ann"), await list("eve")]).toEqual([["job-1"], []]);
  },
);

test("an id in a success that can't be decoded gives the owner the paid job", async () => {
  const { submit, statusOf, service } = await openProxy();
  const unusable = '{"success":true,"data":{"job_id":"job-1"},"error":null}';
  service.play({ answer: answerWithText(202, unusable, json), charges: true });
  expect(dataOf(await submit("ann", {}, "call-1")).job_id).toBe("job-1");
  expect(await statusOf("ann", "/v1/jobs/job-1")).toBe(200);
});
