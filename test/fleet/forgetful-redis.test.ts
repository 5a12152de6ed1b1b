import { createJobQueue, startJobWorker } from "adgen-sdk/bullmq";
import { type ConnectionOptions, createNodeRedisClient } from "bullmq";
import { Redis } from "ioredis";
import { createClient as createNodeRedis } from "redis";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { patientConnection, wakefulConnection } from "../../src/bullmq/fleet-names.ts";
import { clientOf, rejection } from "../helpers/client.ts";
import { copyJob, until } from "./fleet.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.close());

const client = clientOf({ url: "http://127.0.0.1:9" });

describe("a worker warns once", () => {
  const warningsWith = async (
    name: string,
    value: string,
    connection: ConnectionOptions = redis.connection,
  ): Promise<string[]> => {
    const admin = new Redis(redis.connection);
    await admin.config("SET", name, value);
    admin.disconnect();
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    const worker = startJobWorker({ connection, client });
    await worker.submissions.waitUntilReady();
    await worker.close();
    const lines = warn.mock.calls.map(([line]) => String(line));
    warn.mockRestore();
    return lines.filter((line) => line.startsWith("adgen-sdk"));
  };

  test("of a Redis that may forget the last second, and not of another", async () => {
    expect(await warningsWith("appendfsync", "always")).toEqual([]);
    const [warning, ...others] = await warningsWith("appendfsync", "everysec");
    expect(warning).toContain("appendfsync everysec; set `appendonly yes`");
    expect(others).toEqual([]);
  });

  test("as well where node-redis is its client", async () => {
    const raw = createNodeRedis({ url: `redis://127.0.0.1:${redis.port}` });
    const connection = createNodeRedisClient(raw);
    expect(await warningsWith("appendfsync", "always", connection)).toEqual([]);
    const [warning] = await warningsWith("appendfsync", "everysec", connection);
    expect(warning).toContain("Redis has appendonly yes, appendfsync everysec");
    raw.destroy();
  });
});

test("a connection that has gone silent is given up, unless the caller says otherwise", () => {
  const { connection } = redis;
  const patient = { maxRetriesPerRequest: null };
  expect(patientConnection(connection)).toEqual({
    ...connection,
    ...patient,
    socketTimeout: 30_000,
  });
  const own = { ...connection, socketTimeout: 90_000 };
  expect(patientConnection(own)).toEqual({ ...own, ...patient });
  expect(wakefulConnection(own)).toEqual(own);
});

test("an addition to a Redis that does not answer rejects, and may be made again", async () => {
  const server = await startRedis();
  const queue = createJobQueue({ connection: server.connection, timeoutMs: 300 });
  queue.submissions.on("error", () => {});
  queue.looks.on("error", () => {});
  await queue.add("a", copyJob);
  const connected = await queue.submissions.getBackend().client;
  const down = server.crash(1_000);
  await until(() => expect(connected.status).not.toBe("ready"));
  const error = await rejection(queue.add("b", copyJob));
  expect(error).toMatchObject({ outcome: "unknown" });
  expect(["timeout", "connection"]).toContain(error.code);
  expect(error.message).toContain("do the same again");
  await down;
  await until(async () => expect(await queue.add("b", copyJob)).toMatchObject({ id: "b" }));
  expect(await queue.get("b")).toMatchObject({ state: "waiting" });
  await queue.close();
  await server.close();
});

const message = (run: () => unknown): string => {
  try {
    run();
    return "";
  } catch (error) {
    return String(error);
  }
};

test("a missing connection or client is refused by its name", () => {
  expect(message(() => createJobQueue({} as never))).toContain("createJobQueue needs a connection");
  const { connection } = redis;
  expect(message(() => startJobWorker({ connection } as never))).toContain("needs a client");
  expect(message(() => createJobQueue({ connection, name: "a:b" }))).toContain("without a colon");
  expect(message(() => createJobQueue({ connection, nam: "a" } as never))).toContain('"nam"');
});

test("a name that would share a queue, and half a limit, are refused", () => {
  const { connection } = redis;
  const taken = message(() => createJobQueue({ connection, name: "adgen-looks" }));
  expect(taken).toContain('would share a queue with the fleet "adgen"');
  for (const limit of [{ durationMs: 1_000 }, { max: 60 }]) {
    const options = { connection, client, limit };
    const refusal = message(() => startJobWorker(options as never));
    expect(refusal).toContain("limit needs both max and durationMs");
  }
});
