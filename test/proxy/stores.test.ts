import { isAdGenError } from "adgen-sdk";
import { createMemoryStore, createRedisStore, type ProxyStore } from "adgen-sdk/proxy";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { testStore } from "./store-promises.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date", "performance"], now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const pass = async (ms: number): Promise<void> => {
  vi.advanceTimersByTime(ms);
};

testStore("the memory store", async () => {
  const store = createMemoryStore();
  return { stores: [store, store], pass };
});

const refusal = (act: () => unknown): string => {
  try {
    act();
  } catch (error) {
    if (isAdGenError(error) && error.code === "config") return error.message;
    throw error;
  }
  throw new Error("nothing was refused");
};

describe("the memory store", () => {
  const full = async (): Promise<ProxyStore> => {
    const store = createMemoryStore({ maxEntries: 3 });
    await store.setIfAbsent("a", "1", { ttlMs: 1_000, list: "l" });
    await store.setIfAbsent("b", "1", { list: "l" });
    await store.add("n", 1, 7, 5_000);
    return store;
  };

  test("keeps a value until the end of its time, and not longer", async () => {
    const store = createMemoryStore();
    await store.set("a", "1", { ttlMs: 1_000, list: "l" });
    await pass(999);
    expect(await store.get("a")).toBe("1");
    expect(await store.list("l", 1)).toEqual(["a"]);
    await pass(1);
    expect(await store.get("a")).toBe(undefined);
    expect(await store.list("l", 1)).toEqual([]);
  });

  test("goes by its process's own time, whatever is done to the clock", async () => {
    const store = createMemoryStore();
    await store.set("a", "1", { ttlMs: 86_400_000 });
    vi.setSystemTime(Date.now() + 25 * 3_600_000);
    expect(await store.get("a")).toBe("1");
    expect(await store.setIfAbsent("a", "2", {})).toBe(false);
    vi.setSystemTime(0);
    await pass(86_400_000);
    expect(await store.get("a")).toBe(undefined);
  });

  test("that is full refuses new call ids and counts, and works with those it has", async () => {
    const store = await full();
    const message = "The store holds 3 values: raise maxEntries, or use Redis";
    await expect(store.setIfAbsent("c", "1", {})).rejects.toThrow(message);
    await expect(store.add("m", 1, 7, 5_000)).rejects.toThrow(message);
    expect(await store.setIfAbsent("a", "2", {})).toBe(false);
    expect(await store.add("n", 6, 7, 5_000)).toBe(true);
    expect(await store.add("n", 1, 7, 5_000)).toBe(false);
    expect(await store.add("m", -1, 7, 5_000)).toBe(true);
    expect(await store.list("l", 9)).toEqual(["b", "a"]);
    await store.remove("b");
    expect(await store.setIfAbsent("c", "1", {})).toBe(true);
  });

  test("that is full takes as many owners again of what was just made", async () => {
    const store = await full();
    await store.set("c", "me", {});
    for (const key of ["job1", "job2"]) {
      expect(await store.setIfAbsent(key, "me", { list: "l" })).toBe(true);
    }
    expect(await store.list("l", 9)).toEqual(["job2", "job1", "b", "a"]);
    await expect(store.setIfAbsent("job3", "me", { list: "l" })).rejects.toThrow("maxEntries");
    await expect(store.setIfAbsent("call", "1", {})).rejects.toThrow("maxEntries");
  });

  test("forgets what is over before it calls itself full", async () => {
    const store = await full();
    await pass(1_000);
    expect(await store.setIfAbsent("c", "1", { ttlMs: 100 })).toBe(true);
    expect(await store.list("l", 9)).toEqual(["b"]);
    await expect(store.setIfAbsent("d", "1", {})).rejects.toThrow("raise maxEntries");
    await pass(100);
    expect(await store.add("m", 1, 7, 5_000)).toBe(true);
    await pass(5_000);
    expect(await store.setIfAbsent("e", "1", {})).toBe(true);
    expect(await store.setIfAbsent("f", "1", {})).toBe(true);
    await expect(store.setIfAbsent("g", "1", {})).rejects.toThrow("raise maxEntries");
  });

  test("that is full of values which end one by one still writes in no time", async () => {
    const store = createMemoryStore({ maxEntries: 20_000 });
    const startedAt = process.hrtime.bigint();
    for (let index = 0; index < 22_000; index += 1) {
      await pass(1);
      await store.setIfAbsent(String(index), "1", { ttlMs: 20_000 });
    }
    expect(await store.get("1999")).toBe(undefined);
    expect(await store.get("2000")).toBe("1");
    // Looking at every value for each of them took seven seconds.
    expect(process.hrtime.bigint() - startedAt).toBeLessThan(2_000_000_000n);
  });

  test("frees the memory of what is over, though it is never asked for again", async () => {
    const store = createMemoryStore();
    const round = async (number: number): Promise<void> => {
      for (let index = 0; index < 200; index += 1) {
        const value = Buffer.alloc(100_000, "x").toString("latin1");
        await store.set(`${number}:${index}`, value, { ttlMs: 1_000, list: "l" });
      }
      await pass(60_000);
    };
    const heap = (): number => {
      globalThis.gc?.();
      return process.memoryUsage().heapUsed;
    };
    await round(0);
    const before = heap();
    for (const number of [1, 2, 3, 4]) await round(number);
    // Each round brings 20 MB.
    expect(heap() - before).toBeLessThan(40_000_000);
    expect(await store.list("l", 1)).toEqual([]);
  });

  test("refuses bad options by their names", () => {
    expect(refusal(() => createMemoryStore({ maxEntries: 0 }))).toContain("maxEntries must be");
    expect(refusal(() => createMemoryStore({ max: 5 } as never))).toContain('no option "max"');
    expect(refusal(() => createMemoryStore(5 as never))).toContain("takes an object");
  });
});

describe("the Redis store", () => {
  const actions: Record<string, (store: ProxyStore) => Promise<unknown>> = {
    get: (store) => store.get("a"),
    setIfAbsent: (store) => store.setIfAbsent("a", "secret", { ttlMs: 1 }),
    set: (store) => store.set("a", "secret", {}),
    "set on a list": (store) => store.set("a", "secret", { list: "l" }),
    remove: (store) => store.remove("a"),
    list: (store) => store.list("l", 5),
    add: (store) => store.add("n", 1, 7, 1_000),
  };
  const garbage = [undefined, true, 5, -1, {}, [1], Buffer.from("OK"), "QUEUED", Number.NaN];

  test.each(Object.entries(actions))(
    "rejects each answer that %s cannot have",
    async (name, act) => {
      for (const answer of garbage) {
        // A value may be any text.
        if (name === "get" && answer === "QUEUED") continue;
        const store = createRedisStore(async () => answer);
        await expect(act(store), String(answer)).rejects.toThrow(/^Redis answered [A-Z]+ with /u);
      }
    },
  );

  test.each(Object.entries(actions))("tells why %s failed, without a value", async (_, act) => {
    const failure = Object.assign(new Error("ERR unknown command, with args beginning: secret"), {
      command: { args: ["secret"] },
    });
    const failing = [
      () => Promise.reject(failure),
      () => {
        throw failure;
      },
    ];
    for (const client of failing) {
      const error = await act(createRedisStore(client)).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(Error);
      expect((error as Error).message).toMatch(/^Redis failed at [A-Z]+: ERR unknown command$/u);
      expect(JSON.stringify(error)).not.toContain("secret");
      expect(error).not.toHaveProperty("cause");
    }
  });

  test("puts a key on its list before its value is written", async () => {
    const names: (string | undefined)[] = [];
    const store = createRedisStore(async ([name]) => {
      names.push(name);
      return name === "SET" ? "OK" : 1;
    });
    await store.set("a", "1", { list: "l" });
    await store.setIfAbsent("a", "1", { list: "l" });
    expect(names).toEqual(["EVAL", "SET", "EVAL", "SET"]);
  });

  test("leaves a key on its list when its client sends a command twice", async () => {
    const names: (string | undefined)[] = [];
    const store = createRedisStore(async ([name]) => {
      names.push(name);
      return name === "EVAL" ? 1 : name === "GET" ? "mine" : null;
    });
    expect(await store.setIfAbsent("a", "mine", { list: "l" })).toBe(false);
    expect(names).toEqual(["EVAL", "SET", "GET"]);
  });

  test("sends commands as each client takes them", async () => {
    const seen: unknown[] = [];
    const note = async (...input: unknown[]): Promise<string> => {
      seen.push(input);
      return "value";
    };
    const no = (): never => {
      throw new Error("this method is for something else");
    };
    const clients = [
      note,
      { call: note, sendCommand: no, send: no },
      { sendCommand: note, send: no },
      { send: note },
    ];
    for (const client of clients) {
      expect(await createRedisStore(client, { prefix: "p:" }).get("a")).toBe("value");
    }
    expect(seen).toEqual([[["GET", "p:a"]], ["GET", "p:a"], [["GET", "p:a"]], ["GET", ["p:a"]]]);
  });

  test("refuses what is no client, without its text, and bad options by their names", () => {
    const client = async () => null;
    for (const [given, kind] of [
      ["redis://:password@localhost", "a string"],
      [undefined, "undefined"],
      [null, "null"],
      [{}, "an object"],
      [[], "an array"],
      [Promise.resolve(client), "a Promise (await it)"],
    ]) {
      const message = refusal(() => createRedisStore(given as never));
      expect(message).toContain(`needs a Redis client, got ${String(kind)}`);
      expect(message).not.toContain("password");
    }
    const badPrefix = () => createRedisStore(client, { prefix: 5 as never });
    expect(refusal(badPrefix)).toContain("prefix must be text, got 5");
    const badName = () => createRedisStore(client, { ttl: 5 } as never);
    expect(refusal(badName)).toContain('no option "ttl"');
  });
});
