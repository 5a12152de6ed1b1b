// A service may show in its answer what it was sent. Eve asks for the id that Ann's job will have.
import { describe, expect, test } from "vitest";
import { raw } from "../helpers/answers.ts";
import { dataOf, failureOf, openProxy } from "./proxy-under-test.ts";

const json = { "content-type": "application/json" };
const echoed = '"job_id":"job-1"';

const plain = `{${echoed}}`;
const asText = `made of ${plain}`;
const cutOff = `{"success":true,"data":{${echoed},"sta`;
const echoes: [what: string, status: number, body: string, prompt?: string][] = [
  ["a 422 in JSON", 422, `{"detail":[{"msg":"too long","input":{${echoed}}}]}`],
  ["a 422 in the envelope", 422, `{"success":false,"data":{${echoed}},"error":"x",${echoed}}`],
  ["a 400 in the envelope", 400, `{"success":false,"data":{${echoed}},"error":"x",${echoed}}`],
  ["a 500 as text", 500, `cannot make {${echoed}}`],
  ["a 500 with an id of its own", 500, '{"success":false,"error":"x","id":"job-1"}'],
  ["a redirect", 307, `{"success":true,"data":{${echoed},"status":"queued"},"error":null}`],
  ["a 202 as text", 202, asText],
  ["a 202 as text, percent-decoded", 202, asText, '"job_id":"job%2D1"'],
  ["a 202 as text, HTML-decoded", 202, asText, "&quot;job_id&quot;:&quot;job&#45;1&quot;"],
  ["a 202 as text, in small letters", 202, asText, '"JOB_ID":"JOB-1"'],
  ["a 202 that is cut off, percent-decoded", 202, cutOff, '"job_id":"job%2D1"'],
  ["a 202 that is cut off", 202, `{"success":true,"data":{"input":{${echoed}},"job_`],
  ["a 202 without the job's id", 202, `{"success":true,"data":{"input":{${echoed}}},"error":null}`],
  ["a 202 that is a failure", 202, `{"success":false,"data":{${echoed}},"error":"x",${echoed}}`],
];

describe("an id that an answer shows", () => {
  test.each(echoes)("in %s makes no owner", async (_, status, body, prompt = plain) => {
    const { submit, ask, service } = await openProxy();
    service.play({ answer: raw(status, body, json) });
    const refused = await submit("eve", { prompt }, "call-1");
    expect(failureOf(refused)).toMatchObject({ success: false, data: null });
    expect(dataOf(refused).job_id).toBe(undefined);

    const path = "/v1/jobs/job-1";
    const made = await submit("ann", { prompt: "Ann's" }, "call-2");
    expect(dataOf(made).data).toMatchObject({ job_id: "job-1" });
    expect((await ask("ann", { path })).status).toBe(200);
    expect((await ask("eve", { path })).status).toBe(404);
    expect(dataOf(await ask("ann")).data["jobs"]).toHaveLength(1);
    expect(dataOf(await ask("eve")).data).toEqual({ jobs: [] });
  });

  test("of a success that cannot be used makes an owner: the job was paid", async () => {
    const { submit, ask, service } = await openProxy();
    const unusable = '{"success":true,"data":{"job_id":"job-1"},"error":null}';
    service.play({ answer: raw(202, unusable, json), charges: true });
    expect(dataOf(await submit("ann", {}, "call-1")).job_id).toBe("job-1");
    expect((await ask("ann", { path: "/v1/jobs/job-1" })).status).toBe(200);
  });
});
