import {
  type AnyAdGenError,
  createClient,
  type FinishedJob,
  type Job,
  type JobRequest,
  type RequestResult,
  submitMany,
} from "adgen-sdk";
import { describe, expectTypeOf, test } from "vitest";
import * as z from "zod";

const client = createClient({
  schemas: {
    results: {
      "generate-ad": z.object({ images: z.array(z.string()) }),
      "video-a-2": z.object({ videos: z.array(z.string()) }),
    },
  },
});

interface Images {
  images: string[];
}
interface Videos {
  videos: string[];
}

describe("results of submitMany are typed", () => {
  test("each by its request, where the list is written out", async () => {
    for await (const result of submitMany(client, [
      { action: "generate-ad", variations: 2 },
      { action: "video-a-2", duration: 5 },
      { action: "generate-ad-copy" },
    ])) {
      if (result.index === 0 && result.ok) {
        expectTypeOf(result.data).toEqualTypeOf<FinishedJob<Images>>();
      }
      if (result.index === 1 && result.ok) {
        expectTypeOf(result.data).toEqualTypeOf<FinishedJob<Videos>>();
      }
      if (result.index === 2 && result.ok) {
        expectTypeOf(result.data).toEqualTypeOf<FinishedJob<unknown>>();
      }
      expectTypeOf(result.index).toEqualTypeOf<0 | 1 | 2>();
    }
  });

  test("by the action of all, where the list comes from elsewhere", async () => {
    const prompts = ["Lemonade", "Tea"];
    const requests = prompts.map((prompt) => ({ action: "generate-ad", prompt }) as const);
    for await (const result of submitMany(client, requests)) {
      expectTypeOf(result).toEqualTypeOf<RequestResult<number, Images>>();
    }
    for await (const result of submitMany(client, new Set(requests))) {
      expectTypeOf(result).toEqualTypeOf<RequestResult<number, Images>>();
    }
  });

  test("as a union, where the actions differ", async () => {
    const requests: { action: "generate-ad" | "video-a-2" }[] = [];
    for await (const { ok, data } of submitMany(client, requests)) {
      if (ok) expectTypeOf(data).toEqualTypeOf<FinishedJob<Images | Videos>>();
    }
    submitMany(client, requests, {
      onUpdate: (job) => expectTypeOf(job).toEqualTypeOf<Job<Images | Videos>>(),
    });
  });

  test("as unknown, for requests of any action and for a client without schemas", async () => {
    const requests: JobRequest[] = [];
    for await (const { ok, data } of submitMany(client, requests)) {
      if (ok) expectTypeOf(data).toEqualTypeOf<FinishedJob<unknown>>();
    }
    const plain = createClient();
    for await (const { ok, data } of submitMany(plain, [{ action: "generate-ad" }])) {
      if (ok) expectTypeOf(data).toEqualTypeOf<FinishedJob<unknown>>();
    }
  });

  test("as a union on `ok`, also when it is taken apart", async () => {
    const requests = function* () {
      yield { action: "generate-ad" } as const;
    };
    for await (const { ok, index, jobId, data, error } of submitMany(client, requests())) {
      expectTypeOf(index).toEqualTypeOf<number>();
      expectTypeOf(jobId).toEqualTypeOf<string | undefined>();
      if (ok) expectTypeOf(data).toEqualTypeOf<FinishedJob<Images>>();
      else expectTypeOf(error).toEqualTypeOf<AnyAdGenError>();
    }
  });
});

describe("a mistake in a list of requests does not compile", () => {
  test("variations of a video, an unknown action, and a misspelt parameter", () => {
    // @ts-expect-error: a job makes one video
    submitMany(client, [{ action: "generate-ad" }, { action: "video-a-2", variations: 2 }]);
    // @ts-expect-error: no such action
    submitMany(client, [{ action: "generate-poster" }]);
    // @ts-expect-error: misspelt
    submitMany(client, [{ action: "generate-ad" }, { action: "generate-ad", variatons: 2 }]);
    const requests = ["a"].map((prompt) => ({ action: "edit-ad", propmt: prompt }) as const);
    // @ts-expect-error: misspelt
    submitMany(client, requests);
    // @ts-expect-error: misspelt
    submitMany(client, new Set(requests));
  });

  test("one request in the list's place, and a misspelt option", () => {
    // @ts-expect-error: one request
    submitMany(client, { action: "generate-ad" });
    // @ts-expect-error: misspelt
    submitMany(client, [{ action: "generate-ad" }], { maxJob: 5 });
    // @ts-expect-error: jobs.list has none
    submitMany({ jobs: { get: client.jobs.get } }, [{ action: "generate-ad" }]);
  });
});
