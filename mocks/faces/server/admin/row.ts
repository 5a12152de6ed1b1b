import type * as z from "zod/mini";
import { deliberate } from "../../../domain/deliberate.ts";
import type { MockService } from "../../../service/mock-service.ts";

/** Headers of every answer in JSON. */
export const jsonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** An error that the admin answers with this status. */
export const refuse = (status: 400 | 404 | 415, message: string): Error =>
  deliberate(new Error(message), status);

/** A request to a server's admin. */
export interface Asked {
  readonly service: MockService;
  readonly request: Request;
  /** Named parts of the path. */
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** One route of the admin, as the router and the help read it. */
export interface Row {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodMiniObject;
  readonly body?: z.ZodMiniObject;
  /** Answers a `Response` as it is, anything else as the `data` of an envelope. */
  readonly answer: (asked: Asked) => unknown;
}

/** The time of a clock, in two ways. */
export const showTime = (clock: MockService["clock"]) => {
  const now = clock.now();
  return { now, time: new Date(now).toISOString() };
};
