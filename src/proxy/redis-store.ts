import type { ProxyStore } from "./proxy-store.ts";

/**
 * A Redis client, or a function that sends one command: ioredis and iovalkey (`call`), node-redis
 * (`sendCommand`), Bun's (`send`).
 */
export type RedisClient =
  | { call(command: string, ...args: string[]): Promise<unknown> }
  | { sendCommand(args: string[]): Promise<unknown> }
  | { send(command: string, args: string[]): Promise<unknown> }
  | ((args: readonly string[]) => Promise<unknown>);

/** Options of {@link createRedisStore}. */
export interface RedisStoreOptions {
  /** Text that every key in Redis begins with. @default "adgen-proxy:" */
  readonly prefix?: string | undefined;
}

/**
 * Makes a store in Redis (6.2 or newer), for any number of processes. Each command names keys of
 * one slot, so a cluster will do.
 *
 * @throws `ConfigError` (`config`) for something else than a Redis client.
 */
export const createRedisStore = (
  _client: RedisClient,
  _options?: RedisStoreOptions,
): ProxyStore => {
  throw new Error("not there yet");
};
