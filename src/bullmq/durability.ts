import type { IRedisClient } from "bullmq";
import { findDurabilityProblem } from "../redis-durability.ts";

/** A client as BullMQ wraps it: of ioredis, or of node-redis. */
interface CommandClient {
  readonly call?: (...words: string[]) => Promise<unknown>;
  readonly raw?: { readonly sendCommand?: (words: string[]) => Promise<unknown> };
}

/** Says what is wrong with how a fleet's Redis keeps what it was told. */
export const findFleetDurabilityProblem = (commands: IRedisClient): Promise<string | undefined> => {
  const client = commands as CommandClient;
  return findDurabilityProblem(
    async (...words) => client.call?.(...words) ?? client.raw?.sendCommand?.(words),
  );
};
