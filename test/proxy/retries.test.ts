import { type AdGenClient, markAsNotSent, toResult } from "adgen-sdk";
import { beforeEach, expect, test, vi } from "vitest";
import { offline, type Poll, refused } from "../polling/scripted-client.ts";
import { type Connect, direct, fromPage } from "./without-network.ts";

beforeEach(() => {
  // Repeated requests then come at once.
  vi.spyOn(Math, "random").mockReturnValue(0);
  return () => vi.restoreAllMocks();
});

const good: Poll = () => {
  const job = { job_id: "job-1", status: "queued" };
  const data = { ...job, id: "b-1", jobs: [job], brands: [] };
  return Response.json({ success: true, data, error: null });
};

const notSent: Poll = () => Promise.reject(markAsNotSent(new Error("the line is cut")));

type Call = (client: AdGenClient) => Promise<unknown>;

const submit: Call = ({ jobs }) => jobs.submit({ action: "generate-ad" });
const create: Call = ({ brands }) => brands.create({ name: "Acme" });
const update: Call = ({ brands }) => brands.update("b-1", { name: "Acme" });
const remove: Call = ({ brands }) => brands.delete("b-1");
const get: Call = ({ jobs }) => jobs.get("job-1");

/** Makes one call, and tells how it ended and how often the service was asked. */
const make = async (connect: Connect, call: Call, script: readonly Poll[]) => {
  let asked = 0;
  const client = await connect(async (request) => {
    const poll = script[Math.min(asked++, script.length - 1)] as Poll;
    return poll(request);
  });
  const { ok, error } = await toResult(call(client));
  return { ok, asked, outcome: error?.outcome };
};

const rows: readonly [string, Call, readonly Poll[], object][] = [
  ["submission, after a 429", submit, [refused(429, 0), good], { ok: true, asked: 2 }],
  ["submission, after a 503", submit, [refused(503, 0), good], { asked: 1, outcome: "unknown" }],
  ["submission, after a lost answer", submit, [offline, good], { asked: 1, outcome: "unknown" }],
  ["new brand, after a 429", create, [refused(429, 0), good], { ok: true, asked: 2 }],
  ["new brand, after a 500", create, [refused(500), good], { asked: 1, outcome: "unknown" }],
  ["change, after a 503", update, [refused(503), good], { asked: 1, outcome: "unknown" }],
  ["deletion, after a 503", remove, [refused(503), good], { ok: true, asked: 2 }],
  ["deletion that was carried out", remove, [offline, refused(404)], { outcome: "unknown" }],
  ["poll, after two failures", get, [refused(503), offline, good], { ok: true, asked: 3 }],
  ["poll, after a 429", get, [refused(429, 0), good], { ok: true, asked: 2 }],
];

test.each(rows)("a page sends a %s, as often as a program without proxy", async (...row) => {
  const [, call, script, expected] = row;

  const ended = await make(direct, call, script);

  expect(ended).toMatchObject(expected);
  expect(await make(fromPage(), call, script)).toEqual(ended);
});

test("a page is told what was not sent, and leaves it to its user to send it again", async () => {
  const script = [notSent, good];

  expect(await make(direct, submit, script)).toMatchObject({ ok: true, asked: 2 });
  const ended = await make(fromPage(), submit, script);
  expect(ended).toEqual({ ok: false, asked: 1, outcome: "not-sent" });
});
