import {
  createClient,
  type ImageJobRequest,
  type JobRequest,
  type KnownParametersOnly,
  pollJob,
  type SubmittedJob,
} from "adgen-sdk";
import { describe, expectTypeOf, test } from "vitest";
import * as z from "zod";

const client = createClient({
  schemas: { results: { "generate-ad": z.object({ images: z.array(z.string()) }) } },
});
const { jobs } = client;

describe("a request of one's own compiles", () => {
  test("typed by an interface", async () => {
    interface Poster {
      action: "generate-ad";
      prompt: string;
      images: string[];
      variations?: number;
    }
    const poster: Poster = { action: "generate-ad", prompt: "Lemonade", images: [] };
    expectTypeOf(await jobs.submit(poster)).toEqualTypeOf<SubmittedJob<"generate-ad">>();
    const finished = await jobs.submitAndPoll(poster);
    if (finished.status === "completed") {
      expectTypeOf(finished.result).toEqualTypeOf<{ images: string[] }>();
    }
  });

  test("with everything in it read-only", async () => {
    const request = {
      action: "generate-ad",
      prompt: "Lemonade",
      images: ["data:,"],
      variations: 4,
    } as const;
    expectTypeOf(await jobs.submit(request)).toEqualTypeOf<SubmittedJob<"generate-ad">>();
    const images: readonly string[] = [];
    await jobs.submit({ action: "edit-ad", images });
    await jobs.submit({ action: "edit-ad", images: ["data:,"] as const });
  });

  test("as a variable of one of the documented types", async () => {
    const picture: ImageJobRequest = { action: "edit-ad", variations: 2 };
    const job = await jobs.submit(picture);
    expectTypeOf(job).toEqualTypeOf<SubmittedJob<ImageJobRequest["action"]>>();
    const any: JobRequest = picture;
    expectTypeOf(await jobs.submit(any)).toExtend<SubmittedJob>();
  });

  test("as one of two, each with its own parameters", async () => {
    const isVideo = Math.random() > 0.5;
    const job = await jobs.submit(
      isVideo ? { action: "video-a-2", duration: 4 } : { action: "generate-ad", variations: 2 },
    );
    expectTypeOf(job).toEqualTypeOf<SubmittedJob<"generate-ad" | "video-a-2">>();
    await jobs.submit({ action: "generate-ad", ...(isVideo && { variations: 2 }) });
    await jobs.submit({ action: "generate-ad", ...(isVideo ? {} : { prompt: "A dog" }) });
  });

  test("through a wrapper that keeps the action", async () => {
    const submitLogged = async <const R extends JobRequest>(request: KnownParametersOnly<R>) =>
      jobs.submit(request);
    const job = await submitLogged({ action: "generate-ad", variations: 2 });
    expectTypeOf(job).toEqualTypeOf<SubmittedJob<"generate-ad">>();
    const finished = await pollJob(client, job);
    if (finished.status === "completed") {
      expectTypeOf(finished.result).toEqualTypeOf<{ images: string[] }>();
    }
    // @ts-expect-error: misspelt
    await submitLogged({ action: "generate-ad", variatons: 2 });
  });
});

describe("a job beside another answer", () => {
  interface Candidates {
    candidates: string[];
  }

  test("is told apart by a field that no job has", () => {
    const read = (value: SubmittedJob | Candidates): readonly string[] => {
      if ("candidates" in value) {
        expectTypeOf(value).toEqualTypeOf<Candidates>();
        return value.candidates;
      }
      expectTypeOf(value).toEqualTypeOf<SubmittedJob>();
      return [value.job_id];
    };
    expectTypeOf(read).toBeFunction();
  });
});
