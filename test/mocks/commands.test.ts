// Controls a service over HTTP, by commands and by connectMock.
import { afterEach, describe, expect, test } from "vitest";
import { connectMock } from "../../mocks/connect/index.ts";
import { createManualClock } from "../../mocks/index.ts";
import { type MockServer, startMockServer } from "../../mocks/server/index.ts";
import { createAsk, globalFetch, read } from "./ask.ts";

let server: MockServer | undefined;
afterEach(() => server?.close());

const start = async () => {
  const accounts = { "test-key": {}, "test-a%2f?b#c": {} };
  server = await startMockServer({ accounts, clock: createManualClock() });
  const { url, service } = server;
  const mock = connectMock(`${url}/__mock/`);
  const post = async (command: string, body: unknown = [], headers: Record<string, string> = {}) =>
    read(
      await fetch(`${url}/__mock/${command}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: typeof body === "string" ? body : JSON.stringify(body),
      }),
    );
  return { url, service, mock, post, ask: createAsk(globalFetch, "test-key", url) };
};

describe("a command", () => {
  test("a command runs the method of its name with the arguments in its body", async () => {
    const { post, service, ask } = await start();
    const fault = { kind: "status", status: 503 };
    const played = await post("faults.play", [
      fault,
      { times: "Infinity", operation: "jobs.list" },
    ]);
    expect(played).toMatchObject({ status: 200, data: { id: "fault_1", times: "Infinity" } });
    expect((await ask("GET", "/v1/jobs")).status).toBe(503);
    expect((await post("accounts/test-key/credits")).data.image.monthly).toBe(100);
    expect((await post("accounts")).data[0]).toEqual({
      key: "test-key",
      credits: { image: { monthly: 100, purchased: 0 }, video: { monthly: 100, purchased: 0 } },
    });
    expect(await post("reset")).toMatchObject({ status: 200, data: null });
    expect(service.faults.scheduled).toEqual([]);
  });

  const shape = "The arguments of a command must be a JSON list";
  const howToPlay = "; the command is faults.play(fault, options?)";

  test.each<[command: string, body: unknown, message: string]>([
    ["nothing", [], 'The mock has no "nothing"'],
    ["fetch", ["https://ads.test"], 'The mock has no "fetch"'],
    ["faults.play.call", [], 'The mock has no "faults.play.call"'],
    ["constructor", [], "constructor"],
    ["artwork", [], 'The mock has no "artwork"'],
    ["faults.pley", [], 'The mock has no "faults.pley"; did you mean "faults.play"?'],
    ["jobs.fial", [], 'did you mean "jobs.fail"?'],
    ["accounts/nobody/credits", [], "nobody"],
    ["jobs.fail", ["job_none"], "job_none"],
    ["clock.advance", [-1], "cannot advance by -1"],
    ["reset", "{", "JSON"],
    ["faults.play", { fault: { kind: "reset" } }, shape + howToPlay],
    ["faults.play", [], `The command was given 0 arguments${howToPlay}`],
    ["faults.play", [{ kind: "rest" }], "The mock's fault.kind must be one of "],
    ["faults.play", [{ kind: "rest" }], howToPlay],
    ["accounts/test-key/faults.play", [1, {}, 2], `was given 3 arguments${howToPlay}`],
  ])("a wrong command is refused with its reason: %s %j", async (command, body, message) => {
    const { post, service } = await start();
    const { status, error } = await post(command, body);
    expect([status, error]).toEqual([400, expect.stringContaining(message)]);
    expect(service.journal.count).toBe(0);
  });

  test("a page of another site can't send a command", async () => {
    const { post, url } = await start();
    expect((await post("reset", [], { "content-type": "text/plain" })).status).toBe(415);
    const asked = new Headers({
      origin: "https://x.test",
      "access-control-request-method": "POST",
    });
    const preflight = await fetch(`${url}/__mock/reset`, { method: "OPTIONS", headers: asked });
    expect(preflight.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("connectMock", () => {
  test("connectMock controls a server like a service in the same process", async () => {
    const { mock, service, ask } = await start();
    await mock.jobs.next({ fail: "moderation" }, { times: Number.POSITIVE_INFINITY });
    expect(await mock.jobs.scheduled()).toEqual(service.jobs.scheduled);
    const { job_id } = (await ask("POST", "/v1/jobs", { action: "copy-ad" })).data;
    await mock.clock.advance(1_000);
    expect(await mock.jobs.find(job_id)).toEqual(service.jobs.find(job_id));
    expect(await mock.jobs.find("none")).toBeUndefined();
    const account = mock.account("test-key");
    await account.assertCharges([{ action: "copy-ad", amount: 1 }]);
    await expect(account.assertCharges([])).rejects.toThrow("Expected these charges");
    await account.setCredits({ image: { monthly: 0 } });
    expect((await ask("POST", "/v1/jobs", { action: "copy-ad" })).status).toBe(402);
    expect(await account.journal.count()).toBe(2);
    const added = await mock.addAccount("test-new", { credits: { image: { monthly: 3 } } });
    expect([added.key, (await added.credits()).image.monthly]).toEqual(["test-new", 3]);
    expect((await mock.account("test-a%2f?b#c").credits()).video.monthly).toBe(100);
    await mock.reset();
    expect(service.accounts).toHaveLength(2);
  });

  test("connectMock refuses an account that a URL would take for a folder", async () => {
    const { mock } = await start();
    expect(() => mock.account("..")).toThrow('No account can be called ".."');
  });

  test("connectMock asks whether adgen-mock is running when no server answers", async () => {
    await expect(connectMock("http://127.0.0.1:9").reset()).rejects.toThrow(
      "No mock server answers at http://127.0.0.1:9: is adgen-mock running?",
    );
  });
});
