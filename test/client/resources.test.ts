import { describe, expect, it } from "vitest";
import type { AdGenClient } from "../../src/client/index.ts";
import { type Exchange, failures, successes } from "../contract/exchanges.ts";
import { answerWithText, success } from "../helpers/answers.ts";
import { type Call, failing, listJobs } from "../helpers/calls.ts";
import { clientOf } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

/** Makes the call of a recorded request. */
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

/** Answers as recorded. */
const replay = ({ response }: Exchange) =>
  answerWithText(response.status, JSON.stringify(response.body));

const named = (exchanges: readonly Exchange[]) =>
  exchanges.map((exchange) => [exchange.name, exchange] as const);

it.each(named(successes))("the recorded exchange %s is sent and read", async (_, exchange) => {
  const server = await listen(replay(exchange));
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
  const isList = /list/.test(exchange.endpoint);
  expect(given).toEqual(isList ? { items: Object.values(data as object)[0], meta: {} } : data);
});

it.each(named(failures))("the recorded failure %s is quoted by its error", async (_, exchange) => {
  const { status, body } = exchange.response;
  const { error } = await failing(replay(exchange), (client) => call(client, exchange));
  expect(error.status).toBe(status);
  expect(error.message).toMatch(new RegExp(`answered ${status}: ${body.error}$`));
});

const job = { job_id: "j", status: "completed", result: 1 };
const thing = { id: "x", more: true };

const lists: [string, string, { readonly [name: string]: unknown }, Call][] = [
  ["jobs.list", "jobs", job, listJobs],
  ["brands.list", "brands", thing, ({ brands }) => brands.list()],
  ["brands.listAds", "ads", thing, ({ brands }) => brands.listAds("b")],
];

describe.each(lists)("%s", (_, field, item, call) => {
  const failed = async (data: unknown) => (await failing(success(data), call)).error;

  it.each<[unknown, unknown[], object]>([
    [{ [field]: [item, item], total: 9, next: null }, [item, item], { total: 9, next: null }],
    [{ [field]: [] }, [], {}],
    [[item], [item], {}],
    [[], [], {}],
    // A single array under another name is the list.
    [{ results: [item], total: 1 }, [item], { total: 1 }],
    [{ [field]: null, items: [item] }, [item], { [field]: null }],
    [{ warnings: ["old"], [field]: [item] }, [item], { warnings: ["old"] }],
    // An empty array is the list if its name is a common one.
    [{ items: [], total: 0 }, [], { total: 0 }],
    [{ data: [], total: 0 }, [], { total: 0 }],
    [{ results: [], total: 0 }, [], { total: 0 }],
  ])("a list reads %j as a page", async (data, items, meta) => {
    expect(await call(clientOf(await listen(success(data))))).toEqual({ items, meta });
  });

  it.each([
    ["two arrays under other names", { a: [item], b: [item] }],
    ["no array", { total: 0 }],
    ["an empty object", {}],
    ["null", null],
    ["a text", "none"],
    ["a number", 7],
    ["a field that is no array", { [field]: { "0": item } }],
    ["an empty array under a name that says something else", { warnings: [] }],
    ["an empty array beside a field that is null", { [field]: null, warnings: [] }],
    ["an empty array beside a field that is no array", { [field]: {}, errors: [] }],
  ])("a list refuses %s", async (_, data) => {
    const error = await failed(data);
    expect(error).toMatchObject({ name: "DecodeError", reason: "data", received: { data } });
    expect(error.message).toBe(`GET ${error.path} answered 200: its data holds no list "${field}"`);
  });

  const [needed = ""] = Object.keys(item);
  it.each<[unknown, string, (string | number)[]]>([
    [{ ...item, [needed]: undefined }, `.${needed}: expected string, got undefined`, [needed]],
    [{ ...item, [needed]: 7 }, `.${needed}: expected string, got a number`, [needed]],
    [null, ": expected object, got null", []],
    ["text", ": expected object, got a string", []],
    [7, ": expected object, got a number", []],
    [[item], ": expected object, got an array", []],
  ])("the error of a list names the item that does not fit: %j", async (bad, problem, path) => {
    const error = await failed({ [field]: [item, bad, item] });

    const [, message] = problem.split(": ");
    expect(error).toMatchObject({ code: "decode", status: 200 });
    expect(error).toMatchObject({ issues: [{ path: [field, 1, ...path], message }] });
    expect(error.message).toBe(
      `GET ${error.path} answered data that is not what was asked for: ${field}.1${problem}`,
    );
  });
});
