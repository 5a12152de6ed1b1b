import { expect } from "vitest";
import {
  type AdGenClient,
  type AdGenError,
  type ClientOptions,
  ConfigError,
  createClient,
  type StandardSchema,
} from "../../src/client/index.ts";
import { queued } from "./answers.ts";
import { clientOf, paidJob, rejection } from "./client.ts";
import { type Answer, type HttpServer, listen } from "./http-server.ts";

export type Call = (client: AdGenClient) => Promise<unknown>;

export const get: Call = ({ jobs }) => jobs.get("j");
export const list: Call = ({ jobs }) => jobs.list();
export const submit: Call = ({ jobs }) => jobs.submit(paidJob);
export const createBrand: Call = ({ brands }) => brands.create({ name: "a" });
export const updateBrand: Call = ({ brands }) => brands.update("b", {});
export const deleteBrand: Call = ({ brands }) => brands.delete("b");

/** A call's error, and the server that it met. */
export interface Failed extends HttpServer {
  readonly error: AdGenError;
}

/** Makes a call of a server that gives these answers, and expects it to fail. */
export const failing = async (
  answers: Answer | readonly Answer[],
  call: Call,
  options: ClientOptions = {},
): Promise<Failed> => {
  const server = await listen(...[answers].flat());
  return { ...server, error: await rejection(call(clientOf(server, options))) };
};

/** Makes a call that is refused before a connection is made, and gives its error. */
export const refusing = async (call: Call, options: ClientOptions = {}): Promise<AdGenError> => {
  const { error, sockets } = await failing(queued(), call, options);
  expect(sockets.size).toBe(0);
  return error;
};

/** Gives the message by which `createClient` refuses options. */
export const refusalOf = (options: unknown): string => {
  try {
    createClient(options as ClientOptions);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ name: "ConfigError", code: "config", outcome: "not-sent" });
    return (error as ConfigError).message;
  }
  throw new Error("They were taken.");
};

/** A client that sends through this `fetch` of the caller's. */
export const over = (fetch: unknown, options: ClientOptions = {}): AdGenClient =>
  clientOf(
    { url: "http://ads.test" },
    { ...options, fetch: fetch as NonNullable<ClientOptions["fetch"]> },
  );

const envelopeOf = (data: unknown) => ({ success: true, data, error: null });

/** A success, as a `fetch` gives it. */
export const respond = (data: unknown, status = 200): Response =>
  Response.json(envelopeOf(data), { status });

/** The answer to a submission, as a `fetch` gives it. */
export const accepted = (): Response => respond({ job_id: "job-1", status: "queued" }, 202);

/** A body that comes in these chunks. */
export const streamOf = (chunks: readonly unknown[]): ReadableStream =>
  new ReadableStream({
    start: (controller) => {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });

/** A success as text. */
export const envelopeText = (data: unknown): string => JSON.stringify(envelopeOf(data));

export const schemaOf = (validate: StandardSchema["~standard"]["validate"]) => ({
  "~standard": { version: 1 as const, vendor: "test", validate },
});
