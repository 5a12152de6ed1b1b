import { describe, expect, it } from "vitest";
import type { AdGenClient, DriftEvent } from "../../src/index.ts";
import { type Exchange, failures, successes } from "../contract/exchanges.ts";
import { raw, success } from "../helpers/answers.ts";
import { clientOf, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

/** The call that a recorded request comes from. What was recorded is what a JavaScript user says. */
const call = ({ jobs, brands, savedAds }: AdGenClient, { endpoint, request }: Exchange) => {
  const id = request.path.split("/")[3] ?? "";
  const body = request.body as never;
  const calls = {
    "jobs.submit": () => jobs.submit(body),
    "jobs.get": () => jobs.get(id),
    "jobs.list": () => jobs.list(),
    "brands.list": () => brands.list(),
    "brands.create": () => brands.create(body),
    "brands.update": () => brands.update(id, body),
    "brands.delete": () => brands.delete(id),
    "brands.listAds": () => brands.listAds(id),
    "savedAds.create": () => savedAds.create(body),
    "savedAds.delete": () => savedAds.delete(id),
  } satisfies Record<Exchange["endpoint"], () => Promise<unknown>>;
  return calls[endpoint]();
};

/** A server that answers as recorded. */
const replay = ({ response }: Exchange) =>
  listen(raw(response.status, JSON.stringify(response.body)));

const named = (exchanges: readonly Exchange[]) =>
  exchanges.map((exchange) => [exchange.name, exchange] as const);

it.each(named(successes))(
  "recorded: %s: the client sends its method, path and body, once, and gives its data",
  async (_, exchange) => {
    const server = await replay(exchange);
    const { method, path, body } = exchange.request;
    const { data } = exchange.response.body;
    const text = body ? JSON.stringify(body) : "";

    const given = await call(clientOf(server), exchange);
    await call(clientOf({ url: `${server.url}/ads/api/` }), exchange);

    expect(server.received).toMatchObject([
      { method, url: path, body: text },
      { method, url: `/ads/api${path}`, body: text },
    ]);
    expect(server.received[0]?.headers["content-type"]).toBe(body && "application/json");
    expect(JSON.stringify(body ?? "")).toBe(text || '""');
    const isList = /list/.test(exchange.endpoint);
    expect(given).toEqual(isList ? { items: Object.values(data as object)[0], meta: {} } : data);
  },
);

it.each(named(failures))(
  "recorded: %s: is a typed error that quotes the service",
  async (_, exchange) => {
    const server = await replay(exchange);
    const { status, body } = exchange.response;
    const codes: Record<number, string> = {
      400: "bad_request",
      401: "unauthorized",
      402: "payment_required",
      404: "not_found",
    };

    const error = await rejection(call(clientOf(server), exchange));

    expect(error).toMatchObject({ status, code: codes[status] });
    expect(error.message).toMatch(new RegExp(`answered ${status}: ${body.error}$`));
  },
);

describe("jobs.get", () => {
  const get = async (data: object, ref: Parameters<AdGenClient["jobs"]["get"]>[0] = "job-1") =>
    clientOf(await listen(success(data))).jobs.get(ref);

  it.each(["job-1", { job_id: "job-1" }, { job_id: "job-1", action: "video-a-2" } as const])(
    "takes %j, an id, or anything that holds one",
    async (ref) => {
      const job = { job_id: "job-1", status: "processing", progress: 40 };
      expect(await get(job, ref)).toEqual(job);
    },
  );

  it.each([["job-2"], [""], [null], [1]])("refuses the answer of job %j", async (job_id) => {
    const data = { job_id, status: "completed" };
    const error = await rejection(get(data));
    expect(error).toMatchObject({
      ...{ name: "DecodeError", code: "decode", jobId: "job-1", path: "/v1/jobs/job-1" },
      received: { success: true, data, error: null },
    });
    expect(error.lastJob).toBeUndefined();
  });
});

it("reports a job's unknown status, in a list too, and changes nothing", async () => {
  const drifts: DriftEvent[] = [];
  const hooks = { onDrift: (drift: DriftEvent) => drifts.push(drift) };
  const paused = { job_id: "job-1", status: "paused" };
  const server = await listen(success(paused), success({ jobs: [paused] }));
  const { jobs } = clientOf(server, { hooks });
  expect(await jobs.get("job-1")).toEqual(paused);
  expect((await jobs.list()).items).toEqual([paused]);
  expect(drifts).toEqual([
    { method: "GET", path: "/v1/jobs/job-1", message: "job status paused" },
    { method: "GET", path: "/v1/jobs", message: "job status paused" },
  ]);
});
