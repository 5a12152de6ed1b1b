import { afterEach, expect, test, vi } from "vitest";
import { createMemoryStore } from "../../src/submissions/store/memory-store.ts";
import type { RecordStore } from "../../src/submissions/store/record-store.ts";
import type { SendToRedis } from "../../src/submissions/store/redis-durability.ts";
import { createRedisStore } from "../../src/submissions/store/redis-store.ts";
import { pause, rejection } from "../helpers/client.ts";

afterEach(() => vi.restoreAllMocks());

const storeOf = (send: SendToRedis): RecordStore =>
  createRedisStore(send, { warnOfDurability: false });

const actions: Record<string, (store: RecordStore) => Promise<unknown>> = {
  get: (store) => store.get("a"),
  swap: (store) => store.swap("a", "", { rev: "1", text: "secret", list: "l" }),
  "swap to nothing": (store) => store.swap("a", "1"),
  list: (store) => store.list("l", 5),
};

const texts = [Buffer.from("1"), Buffer.from("2")];
const garbage = [
  ...[undefined, null, true, 5, {}, "OK", "QUEUED", Buffer.from("OK"), [1], ["1"], [null, "1"]],
  ...[["1", null], ["1", { text: "parsed" }], texts, ["1", "2", "3", "4", "5"]],
];

test.each(Object.entries(actions))(
  "a store in Redis rejects each reply that %s cannot have",
  async (_, act) => {
    for (const reply of garbage) {
      const failing = act(storeOf(async () => reply));
      await expect(failing, JSON.stringify(reply)).rejects.toThrow(
        /^Redis answered [a-z]+ with .*: let the client return texts as they are/u,
      );
    }
  },
);

test.each(Object.entries(actions))(
  "a store in Redis says why %s failed, without the text of a record",
  async (_, act) => {
    const failure = Object.assign(new Error("ERR unknown command, with args beginning: secret"), {
      command: { args: ["secret"] },
    });
    const throwing = () => {
      throw failure;
    };
    for (const send of [() => Promise.reject(failure), throwing]) {
      const error = await act(storeOf(send)).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).toMatch(/^Redis failed at [a-z]+: ERR unknown command$/u);
      expect(JSON.stringify(error)).not.toContain("secret");
      expect(error).not.toHaveProperty("cause");
    }
  },
);

test.each([
  ["appendonly", "no", "Redis has appendonly no"],
  ["appendfsync", "everysec", "Redis has appendfsync everysec"],
  ["maxmemory-policy", "allkeys-lru", "Redis has maxmemory-policy allkeys-lru"],
  ["appendonly", undefined, "this Redis does not show its durability settings"],
])(
  "a store in Redis reads the settings after a first swap, and warns once of %s %s",
  async (...row) => {
    const [name, value, words] = row;
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const safe = { appendonly: "yes", appendfsync: "always", "maxmemory-policy": "noeviction" };
    const settings: Record<string, string | undefined> = { ...safe, [name]: value };
    let isAway = true;
    const send: SendToRedis = async (command, _get, setting = "") => {
      if (isAway) throw new Error("Stream isn't writeable");
      return command === "eval" ? [] : [setting, settings[setting]];
    };
    const stores = [createRedisStore(send), storeOf(send)];
    for (const store of stores) await expect(store.swap("a", "1")).rejects.toThrow("writeable");
    isAway = false;
    for (const store of [...stores, ...stores]) await store.swap("a", "1");
    await expect.poll(() => warn).toHaveBeenCalledTimes(1);
    const advice = "set `appendonly yes`, `appendfsync always` and `maxmemory-policy noeviction`";
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(`adgen-sdk: ${words}; ${advice}`));
  },
);

test.each(Object.entries(actions))(
  "a store sends the commands of %s in lower case, so that ioredis 5.4 adds its keyPrefix",
  async (_, act) => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const send = vi.fn(async (_command: string): Promise<unknown> => []);
    await act(createRedisStore(send));
    const sent = send.mock.calls.map(([command]) => command);
    expect(sent).toEqual(sent.map((command) => command.toLowerCase()));
    expect(sent).not.toEqual([]);
  },
);

test.each([
  ["a warning", "ERR unknown command 'CONFIG', with args beginning with: 'get' 'appendonly'"],
  ["a warning", "ERR unknown command `CONFIG`, with args beginning with: `GET`, `appendonly`, "],
  ["a warning", "NOPERM this user has no permissions to run the 'config|get' command"],
  ["a warning", "NOPERM User ann has no permissions to run the 'config' command"],
  ["a warning", "ERR Command is not available: 'CONFIG'. See https://upstash.com/docs/redis"],
  ["nothing", "Connection is closed."],
  ["nothing", "Stream isn't writeable and enableOfflineQueue options is false"],
  ["nothing", "The client is closed"],
  ["nothing", "Socket closed unexpectedly"],
  ["nothing", "Disconnects client"],
  ["nothing", "read ECONNRESET"],
  ["nothing", "LOADING Redis is loading the dataset in memory"],
  ["nothing", "fetch failed"],
])("a store prints %s when it cannot read the settings of Redis because of: %s", async (...row) => {
  const [printed, failure] = row;
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const store = createRedisStore(async (command) => {
    if (command === "eval") return [];
    throw new Error(failure);
  });
  await store.swap("a", "1");
  await pause(5);
  const words = expect.stringContaining("this Redis does not show its durability settings");
  expect(warn.mock.calls).toEqual(printed === "nothing" ? [] : [[words]]);
});

test("a store in memory has no options", () => {
  expect(() => createMemoryStore({ maxEntries: 5 } as never)).toThrow(
    'createMemoryStore has no option "maxEntries"; it has none',
  );
});

test.each<[unknown, object, string]>([
  ["redis://:password@localhost", {}, "got a string"],
  [undefined, {}, "got undefined"],
  [{}, {}, "got an object"],
  [async () => null, { prefix: 5 }, "prefix must be text without braces, got"],
  [async () => null, { prefix: "" }, "prefix must be text without braces, got"],
  [async () => null, { prefix: "{a}" }, "prefix must be text without braces, got"],
  [async () => null, { ttl: 5 }, 'no option "ttl"'],
])(
  "createRedisStore refuses %s with %j, and does not print the given text",
  async (send, options, words) => {
    const create = async () => createRedisStore(send as never, options);
    const { code, message } = await rejection(create());
    expect([code, message]).toEqual(["config", expect.stringContaining(words)]);
    expect(message).not.toContain("password");
    const needed = "createRedisStore needs a function that sends a command";
    expect(message.includes(needed)).toBe(typeof send !== "function");
  },
);
