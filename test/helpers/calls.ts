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

export const getJob: Call = ({ jobs }) => jobs.get("j");
export const listJobs: Call = ({ jobs }) => jobs.list();
export const submitJob: Call = ({ jobs }) => jobs.submit(paidJob);
export const createBrand: Call = ({ brands }) => brands.create({ name: "a" });
export const updateBrand: Call = ({ brands }) => brands.update("b", {});
export const deleteBrand: Call = ({ brands }) => brands.delete("b");

/** The error of a call, and the server that received it. */
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
export const clientOver = (fetch: unknown, options: ClientOptions = {}): AdGenClient =>
  clientOf(
    { url: "http://ads.test" },
    { ...options, fetch: fetch as NonNullable<ClientOptions["fetch"]> },
  );

const envelopeOf = (data: unknown) => ({ success: true, data, error: null });

/** Creates the response of a success, for a `fetch` to return. */
export const respondWithData = (data: unknown, status = 200): Response =>
  Response.json(envelopeOf(data), { status });

/** Creates the response to a submission, for a `fetch` to return. */
export const accepted = (): Response => respondWithData({ job_id: "job-1", status: "queued" }, 202);

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

/**
 * Parameters of a submission beside `action`, by the kind of the action. The type tests compare this
 * with the types of requests, and the tests of the guides with the client's guide.
 */
export const jobParameters = {
  image: ["prompt", "images", "variations", "brand_id"],
  video: ["prompt", "images", "duration", "brand_id"],
  copy: ["prompt", "images", "variations", "brand_id"],
} as const;

/** End of the message of a submission that may have been carried out. */
export const doubtOfSubmission =
  "; the job may exist and be charged: look with findLostJobs(client, error) before you submit again";

/** End of the message of such a submission when an answer has named the job. */
export const doubtWithJob =
  "; the job may exist and be charged: wait for it with pollJob(client, error.jobId)";
