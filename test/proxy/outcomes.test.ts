import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { type AdGenClient, createClient, toResult } from "adgen-sdk";
import { describe, expect, it } from "vitest";
import { clientOf, paidJob, testKey } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { openProxy } from "./proxy-under-test.ts";
import { behaviours, type Facts, goodAnswer, maxResponseBytes } from "./service-behaviours.ts";

/** One call of each kind, but for a deletion, after which the others would miss the brand. */
const calls: Record<string, (client: AdGenClient) => Promise<unknown>> = {
  "jobs.submit": ({ jobs }) => jobs.submit(paidJob),
  "brands.create": ({ brands }) => brands.create({ name: "Acme" }),
  "brands.update": ({ brands }) => brands.update("b-1", { name: "Acme" }),
  "jobs.get": ({ jobs }) => jobs.get("job-1"),
  "jobs.list": async ({ jobs }) => (await jobs.list()).items,
};

/** The end of a call, as its caller is told: the data, or the facts of the failure. */
type Told = { data: unknown } | Facts;

const tell = async (call: Promise<unknown>): Promise<Told> => {
  const { ok, data, error } = await toResult(call);
  if (ok) return { data };
  const { code, status, outcome, retryAfterMs, requestId, jobId } = error;
  const supportedActions = error.code === "bad_request" ? error.supportedActions : undefined;
  return { code, status, outcome, retryAfterMs, requestId, jobId, supportedActions };
};

/** Makes all calls at the same time, the deletion after them, and tells how each ended. */
const tellAll = async (client: AdGenClient): Promise<Record<string, Told>> => {
  const told = Object.entries(calls).map(async ([name, call]) => [name, await tell(call(client))]);
  const ends = Object.fromEntries(await Promise.all(told));
  return { ...ends, "brands.delete": await tell(client.brands.delete("b-1")) };
};

/** Makes the calls of a program that has the key, and those of a page. */
const compare = async (baseUrl: string, times: { timeoutMs?: number } = {}) => {
  const bounds = { ...times, maxResponseBytes };
  const options = { baseUrl, apiKey: testKey, authorize: () => "ada", ...bounds };
  const { proxy, port } = await openProxy(options);
  await proxy.claim("job", "job-1", "ada");
  await proxy.claim("brand", "b-1", "ada");
  const url = `http://127.0.0.1:${port}/adgen`;
  const page = createClient({ baseUrl: url, apiKey: null, callIds: true, maxRetries: 0 });
  const [direct, behind] = await Promise.all([
    tellAll(clientOf({ url: baseUrl }, { ...bounds, maxRetries: 0 })),
    tellAll(page),
  ]);
  return { direct, page: behind };
};

describe("a page behind the proxy", () => {
  it("is given what a program without it is given", async () => {
    const { direct, page } = await compare((await listen(goodAnswer)).url);

    expect(page).toEqual(direct);
    expect(Object.values(page).every((told) => "data" in told)).toBe(true);
  });

  it.each(behaviours)("is told the same of a service that answers $name", async (behaviour) => {
    const { url } = await listen(behaviour.answer);
    const { direct, page } = await compare(url, behaviour.isSlow && { timeoutMs: 800 });

    for (const [name, told] of Object.entries(direct)) {
      // An answer may do for one kind of call, and be useless for the others.
      const expected = "data" in told ? told : { ...told, ...behaviour.forPages };
      if (behaviour.hidesNewJob && name === "jobs.submit")
        Object.assign(expected, { jobId: undefined });
      expect({ name, ...page[name] }).toEqual({ name, ...expected });
    }
  });
});

describe("a service that is not there", () => {
  it("was sent nothing, as both are told", async () => {
    const { direct, page } = await compare("http://127.0.0.1:1");

    for (const name of ["jobs.submit", "brands.create", "brands.update", "brands.delete"]) {
      // A delete has no body whose stay here would prove it.
      const outcome = name === "brands.delete" ? "unknown" : "not-sent";
      expect(direct[name]).toMatchObject({ code: "connection", outcome });
      expect(page[name]).toMatchObject({ code: "server_error", status: 502, outcome });
    }
    for (const name of ["jobs.get", "jobs.list"]) {
      expect(direct[name]).toMatchObject({ code: "connection", outcome: undefined });
      expect(page[name]).toMatchObject({ code: "server_error", status: 502, outcome: undefined });
    }
  });

  it("may have been sent something when it resets at the first bytes", async () => {
    const server = createServer((socket) => socket.once("data", () => socket.resetAndDestroy()));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { direct, page } = await compare(`http://127.0.0.1:${port}`);
    server.close();

    for (const name of Object.keys(direct)) {
      const { outcome } = direct[name] as Facts;
      expect(outcome).toBe(
        name.startsWith("jobs.get") || name === "jobs.list" ? undefined : "unknown",
      );
      expect(page[name]).toMatchObject({ code: "server_error", status: 502, outcome });
    }
  });
});
