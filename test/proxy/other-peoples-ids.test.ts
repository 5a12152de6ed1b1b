import { beforeAll, describe, expect, test } from "vitest";
import { type Asked, failureOf, openProxy } from "./proxy-under-test.ts";

/** Two people: Ann has a job, a brand and an ad in it; Eve wants them. */
const withTwoPeople = async () => {
  const stage = await openProxy();
  const brand = await stage.make("ann", "/v1/brands", { name: "Ann's" });
  const ad = await stage.make("ann", "/v1/saved-ads", { name: "Ann's", brand_id: brand });
  const job = await stage.make("ann", "/v1/jobs", { action: "generate-ad", prompt: "Ann's" });
  const before = stage.service.arrivals();
  const reached = (): number => stage.service.arrivals() - before;
  return { ...stage, brand, ad, job, reached };
};

const id = { job: "job-3", brand: "brand-1", ad: "ad-2" };
const job = { action: "generate-ad", prompt: "Eve's" };

/** JSON that an object cannot be written as. */
const text = (members: string): string => `{"action":"generate-ad","prompt":"Eve's",${members}}`;

describe("somebody else's id", () => {
  let stage: Awaited<ReturnType<typeof withTwoPeople>>;
  beforeAll(async () => {
    stage = await withTwoPeople();
  });

  const places: [
    place: string,
    asked: (id: { job: string; brand: string; ad: string }) => Asked,
  ][] = [
    ["of a job", ({ job }) => ({ path: `/v1/jobs/${job}` })],
    ["of a job, asked for its head", ({ job }) => ({ method: "HEAD", path: `/v1/jobs/${job}` })],
    [
      "of a job, escaped",
      ({ job }) => ({ path: `/v1/jobs/%6${job[0] === "j" ? "a" : "e"}${job.slice(1)}` }),
    ],
    ["of a brand", ({ brand }) => ({ path: `/v1/brands/${brand}/ads` })],
    [
      "of a brand to change",
      ({ brand }) => ({ method: "PATCH", path: `/v1/brands/${brand}`, body: { name: "Eve's" } }),
    ],
    ["of a brand to delete", ({ brand }) => ({ method: "DELETE", path: `/v1/brands/${brand}` })],
    ["of an ad to delete", ({ ad }) => ({ method: "DELETE", path: `/v1/saved-ads/${ad}` })],
    ["of a job as a brand", ({ job }) => ({ method: "DELETE", path: `/v1/brands/${job}` })],
    ["in a job", ({ brand }) => ({ method: "POST", body: { ...job, brand_id: brand } })],
    ["of a job in a job", (id) => ({ method: "POST", body: { ...job, job_id: id.job } })],
    ["of a job in a list", (id) => ({ method: "POST", body: { ...job, job_ids: [id.job] } })],
    [
      "of a job in an ad",
      (id) => ({ method: "POST", path: "/v1/saved-ads", body: { name: "Eve's", job_id: id.job } }),
    ],
    [
      "in an ad",
      ({ brand }) => ({ method: "POST", path: "/v1/saved-ads", body: { brand_id: brand } }),
    ],
    [
      "under an escaped key",
      ({ brand }) => ({ method: "POST", body: text(`"br\\u0061nd_id":"${brand}"`) }),
    ],
    [
      "escaped itself",
      ({ brand }) => ({ method: "POST", body: text(`"brand_id":"\\u0062${brand.slice(1)}"`) }),
    ],
    [
      "after another of the same name",
      ({ brand }) => ({ method: "POST", body: text(`"brand_id":"none","brand_id":"${brand}"`) }),
    ],
  ];
  test.each(places)("%s is the same 404 as an unknown one", async (_, asked) => {
    const { ask, reached, ...ids } = stage;
    expect(ids).toMatchObject(id);
    const of = (id: string) => `${id.slice(0, -1)}9`;
    const known = await ask("eve", asked(id));
    const unknown = await ask(
      "eve",
      asked({ job: of(id.job), brand: of(id.brand), ad: of(id.ad) }),
    );
    const bare = ({ status, headers, body }: typeof known) => {
      const { date, ...others } = headers;
      return { status, headers: others, body };
    };
    expect(bare(known)).toEqual(bare(unknown));
    expect(known.status).toBe(404);
    expect(reached()).toBe(0);
  });

  const refused: [place: string, path: string, body: string][] = [
    ["in another case", "/v1/jobs", text('"Brand_ID":"brand-1"')],
    ["in camel case", "/v1/jobs", text('"brandId":"brand-1"')],
    ["under a long s", "/v1/jobs", text('"brand_id\u017f":["brand-1"]')],
    ["under a name and a space", "/v1/jobs", text('"brand_id ":"brand-1"')],
    ["under a name and a space of no width", "/v1/jobs", text('"\u200bjob_id":"job-3"')],
    ["under a fullwidth name", "/v1/jobs", text('"brand\uff3fid":"brand-1"')],
    ["as an id and a space of a new brand", "/v1/brands", '{"name":"Eve","id ":"brand-1"}'],
    ["of an ad in a job", "/v1/jobs", text('"ad_id":"ad-2"')],
    ["of a saved ad in a job", "/v1/jobs", text('"saved_ad_id":"ad-2"')],
    ["of saved ads in a job", "/v1/jobs", text('"savedAdIds":["ad-2"]')],
    ["of an ad in an ad", "/v1/saved-ads", '{"name":"Eve","adId":"ad-2"}'],
    ["of an ad that is a source", "/v1/jobs", text('"source_ad_id":"ad-2"')],
    ["of an ad that is a source, in camel case", "/v1/jobs", text('"sourceAdID":"ad-2"')],
    ["of a job that is a source", "/v1/jobs", text('"source_job_id":"job-3"')],
    ["of a job that is a parent", "/v1/jobs", text('"a":[{"parentJobId":"job-3"}]')],
    ["of a brand that is a parent", "/v1/jobs", text('"parent_brand_id":"brand-1"')],
    ["as a list", "/v1/jobs", text('"brand_id":["brand-1"]')],
    ["as an object", "/v1/jobs", text('"brand_id":{"id":"brand-1"}')],
    ["as an id of a new brand", "/v1/brands", '{"name":"Eve","id":"brand-1"}'],
    ["as an id in capitals", "/v1/brands", '{"name":"Eve","ID":"brand-1"}'],
    [
      "beside a hundred others",
      "/v1/jobs",
      text(`"brand_ids":${JSON.stringify(Array.from({ length: 101 }, (_, at) => `brand-${at}`))}`),
    ],
    ["as an id of a new ad", "/v1/saved-ads", '{"name":"Eve","id":"ad-2"}'],
  ];
  test.each(refused)("%s is refused, and nothing is sent", async (_, path, body) => {
    const { ask, reached } = stage;
    const { status } = await ask("eve", { method: "POST", path, body });
    expect([400, 404]).toContain(status);
    expect(reached()).toBe(0);
  });

  const impossible = ["\ud800", "", " ", ".", "a\nb", "x".repeat(257), 7, {}];
  test.each(impossible)("%j instead of one is the 404 of an unknown one", async (id) => {
    const { ask, reached, errors } = stage;
    for (const name of ["brand_id", "job_id", "ad_id"]) {
      const body = { ...job, [name]: id };
      const refused = failureOf(await ask("eve", { method: "POST", body }));
      expect(refused).toMatchObject({ status: 404, outcome: "refused", error: "Not found" });
    }
    expect(errors).toEqual([]);
    expect(reached()).toBe(0);
  });

  const inert: [place: string, members: string][] = [
    ["before one's own of the same name", '"brand_id":"brand-1","brand_id":"OWN"'],
    ["under __proto__", '"__proto__":{"brand_id":"brand-1"}'],
    ["under __proto__, beside one's own", '"__proto__":{"brand_id":"brand-1"},"brand_id":"OWN"'],
    ["under constructor", '"constructor":{"prototype":{"brand_id":"brand-1"}}'],
  ];
  test.each(inert)("%s never reaches the service as a brand", async (_, members) => {
    const { make, ask, service, reached } = await withTwoPeople();
    const own = await make("eve", "/v1/brands", { name: "Eve's" });
    const body = text(members.replace("OWN", own));
    const { status } = await ask("eve", { method: "POST", body });
    expect([202, 400, 404]).toContain(status);
    expect(reached()).toBe(status === 202 ? 2 : 1);
    const sent = JSON.parse(service.received.at(-1)?.body ?? "{}");
    expect([undefined, own]).toContain(sent.brand_id);
    expect(service.received.at(-1)?.body.match(/"brand_id":"brand-1"/g)).toBeNull();
  });

  test("is not read out of other words", async () => {
    const { submit, service } = await withTwoPeople();
    const words = {
      upload_id: "ad-2",
      threadId: "ad-2",
      load_ids: ["ad-2"],
      job: "job-3",
      LEAD_ID: 7,
    };
    expect((await submit("eve", words)).status).toBe(202);
    expect(JSON.parse(service.received.at(-1)?.body ?? "")).toMatchObject(words);
  });

  test("in a brand's new fields cannot move it", async () => {
    const { make, ask, reached } = await withTwoPeople();
    const own = await make("eve", "/v1/brands", { name: "Eve's" });
    const { status } = await ask("eve", {
      method: "PATCH",
      path: `/v1/brands/${own}`,
      body: { id: "brand-1" },
    });
    expect(status).toBe(400);
    expect(reached()).toBe(1);
  });

  test("is one's own again for its owner alone", async () => {
    const { ask, submit, brand, ad, job } = await withTwoPeople();
    expect((await ask("eve", { method: "DELETE", path: `/v1/brands/${brand}` })).status).toBe(404);
    const own = { brand_id: brand, job_id: job, saved_ad_id: ad };
    expect((await submit("ann", own)).status).toBe(202);
    expect((await ask("ann", { path: `/v1/jobs/${job}` })).status).toBe(200);
    expect((await ask("ann", { method: "DELETE", path: `/v1/saved-ads/${ad}` })).status).toBe(200);
    expect((await ask("ann", { method: "DELETE", path: `/v1/brands/${brand}` })).status).toBe(200);
  });
});

describe("a service that mixes ids up", () => {
  test("cannot hand a thing of somebody else to a new owner", async () => {
    const { ask, submit, service } = await withTwoPeople();
    service.play({ edit: (envelope) => envelope.replace("job-4", "job-3") });
    const answered = await submit("eve", {}, "call-1");
    expect(answered.body).not.toContain("Ann");
    expect((await ask("eve", { path: "/v1/jobs/job-3" })).status).toBe(404);
    expect((await ask("ann", { path: "/v1/jobs/job-3" })).status).toBe(200);
  });

  test("cannot answer about somebody else's thing", async () => {
    const { ask, submit, service } = await withTwoPeople();
    await submit("eve");
    service.play({ edit: (envelope) => envelope.replace("job-4", "job-3") });
    const answered = await ask("eve", { path: "/v1/jobs/job-4" });
    expect(answered.status).toBe(502);
    expect(answered.body).not.toContain("job-3");
  });
});
