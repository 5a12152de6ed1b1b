import { isAdGenError } from "adgen-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { RecordStore } from "../../src/submissions/record-store.ts";
import { createRedisStore, type SendToRedis } from "../../src/submissions/redis-store.ts";

afterEach(() => vi.restoreAllMocks());

const storeOf = (send: SendToRedis): RecordStore =>
  createRedisStore(send, { warnOfDurability: false });

const record = { rev: "1", text: "secret", list: "l" };

const actions: Record<string, (store: RecordStore) => Promise<unknown>> = {
  get: (store) => store.get("a"),
  swap: (store) => store.swap("a", "", record),
  "swap to nothing": (store) => store.swap("a", "1"),
  list: (store) => store.list("l", 5),
};

const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (isAdGenError(error) && error.code === "config") return error.message;
    throw error;
  }
  throw new Error("nothing was refused");
};

const garbage = [
  ...[undefined, null, true, 5, {}, "OK", "QUEUED", Buffer.from("OK"), [1], ["1"], [null, "1"]],
  ...[
    ["1", null],
    ["1", { text: "parsed" }],
    [Buffer.from("1"), Buffer.from("2")],
  ],
  ["1", "2", "3", "4", "5"],
];

describe("a store in Redis", () => {
  test.each(Object.entries(actions))("rejects each reply that %s cannot have", async (_, act) => {
    for (const reply of garbage) {
      const failing = act(storeOf(async () => reply));
      await expect(failing, JSON.stringify(reply)).rejects.toThrow(
        /^Redis answered [A-Z]+ with .*: let the client return texts as they are/u,
      );
    }
  });

  test.each(Object.entries(actions))("tells why %s failed, without a record", async (_, act) => {
    const failure = Object.assign(new Error("ERR unknown command, with args beginning: secret"), {
      command: { args: ["secret"] },
    });
    const failing = [
      () => Promise.reject(failure),
      () => {
        throw failure;
      },
    ];
    for (const send of failing) {
      const error = await act(storeOf(send)).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).toMatch(/^Redis failed at [A-Z]+: ERR unknown command$/u);
      expect(JSON.stringify(error)).not.toContain("secret");
      expect(error).not.toHaveProperty("cause");
    }
  });

  test.each([
    ["READONLY You can't write against a read only replica.", "connect to the primary"],
    ["NOAUTH Authentication required.", "check the user's password"],
    ["MOVED 3999 127.0.0.1:6381", "send the command by a client for clusters"],
    ["OOM command not allowed when used memory > 'maxmemory'.", "give Redis more memory"],
  ])("says what to do about %j", async (message, remedy) => {
    const store = storeOf(() => Promise.reject(new Error(message)));
    await expect(store.get("a")).rejects.toThrow(message);
    await expect(store.get("a")).rejects.toThrow(remedy);
  });

  test("warns once where Redis does not tell its settings, and never when told not to", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const send: SendToRedis = async (command) => {
      if (command === "CONFIG") throw new Error("ERR unknown command");
      return [];
    };
    for (const warnOfDurability of [false, true]) {
      const store = createRedisStore(send, { warnOfDurability });
      for (const id of ["a", "b"]) await store.swap(id, "1");
    }
    await expect.poll(() => warn).toHaveBeenCalledTimes(1);
    expect(String(warn.mock.calls[0]?.[0])).toContain("does not tell how it keeps");
  });

  test("reads the settings once Redis is there, and says nothing of one that is away", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    let isAway = true;
    const asked: string[] = [];
    const store = createRedisStore(async (command, _get, setting = "") => {
      if (isAway) throw new Error("Stream isn't writeable");
      if (command === "EVAL") return [];
      asked.push(setting);
      return [setting, setting === "appendonly" ? "no" : "always"];
    });
    await expect(store.swap("a", "1")).rejects.toThrow("Stream isn't writeable");
    isAway = false;
    await store.swap("a", "1");
    await expect.poll(() => warn).toHaveBeenCalledTimes(1);
    expect(String(warn.mock.calls[0]?.[0])).toContain("Redis has appendonly no");
    expect(asked).toEqual(["appendonly", "appendfsync", "maxmemory-policy"]);
  });

  test("refuses what is no function, without its text, and bad options by their names", () => {
    const send: SendToRedis = async () => null;
    for (const [given, kind] of [
      ["redis://:password@localhost", "a string"],
      [undefined, "undefined"],
      [{}, "an object"],
    ]) {
      const message = refusal(() => createRedisStore(given as never));
      expect(message).toContain("createRedisStore needs a function that sends a command");
      expect(message).toContain(`got ${String(kind)}`);
      expect(message).not.toContain("password");
    }
    for (const prefix of [5, "", "{a}"]) {
      const message = refusal(() => createRedisStore(send, { prefix: prefix as never }));
      expect(message).toContain("prefix must be text without braces, got");
    }
    expect(refusal(() => createRedisStore(send, { ttl: 5 } as never))).toContain('no option "ttl"');
  });
});
