// Controls a service over HTTP, by commands and by connectMock.
import { afterEach, describe, expect, test } from "vitest";
import { connectMock } from "../../mocks/connect/index.ts";
import { createManualClock } from "../../mocks/index.ts";
import { commandSignatures } from "../../mocks/server/commands.ts";
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

  test.each<[command: string, body: unknown]>([
    ["nothing", []],
    ["fetch", ["https://ads.test"]],
    ["faults.play.call", []],
    ["constructor", []],
    ["accounts/nobody/credits", []],
    ["jobs.fail", ["job_none"]],
    ["clock.advance", [-1]],
    ["reset", "{"],
  ])(
    "a wrong command is refused with its reason, and changes nothing: %s %j",
    async (command, body) => {
      const { post, service } = await start();
      const { status, error } = await post(command, body);
      expect([status, error]).toEqual([400, expect.stringMatching(/\w/)]);
      expect(service.journal.count).toBe(0);
    },
  );

  test.each([
    ["faults.play", { fault: { kind: "reset" } }, "The arguments of a command must be a JSON list"],
    ["faults.play", [], "The command was given 0 arguments"],
    ["faults.play", [{ kind: "rest" }], "The mock's fault.kind must be one of "],
    ["accounts/test-key/faults.play", [1, {}, 2], "The command was given 3 arguments"],
  ])("a command with wrong arguments says how to call it: %s %j", async (command, body, words) => {
    const { error } = await (await start()).post(command, body);
    expect(error).toContain(words);
    expect(error).toMatch(/; the command is faults\.play\(fault, options\?\)$/);
  });

  test("a misspelt command is refused with the one that may be meant", async () => {
    const { post } = await start();
    const errorOf = async (command: string) => (await post(command)).error;
    expect(await errorOf("faults.pley")).toBe(
      'The mock has no "faults.pley"; did you mean "faults.play"?',
    );
    expect(await errorOf("jobs.fial")).toContain('did you mean "jobs.fail"?');
    expect(await errorOf("artwork")).toBe('The mock has no "artwork"');
  });

  test("every command with arguments has its signature in commandSignatures", async () => {
    const { service } = await start();
    const account = service.account("test-key");
    const missing: string[] = [];
    const look = (owner: object, path = ""): void => {
      for (const [name, member] of Object.entries(owner)) {
        const isMethod = typeof member === "function";
        const hasArguments = isMethod && !/^(async )?(\w+ ?)?\(\)/.test(String(member));
        if (hasArguments && !(path + name in commandSignatures)) missing.push(path + name);
        const isPart = ["clock", "faults", "jobs", "journal"].includes(name);
        if (isPart) look(member, `${path}${name}.`);
      }
    };
    for (const owner of [service, account]) look(owner);
    expect(missing.sort()).toEqual(["account", "artwork", "fetch", "reply"]);
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
