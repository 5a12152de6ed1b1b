import { createHash } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import { digestOf } from "../../src/submissions/store/digest.ts";
import { createMemoryStore } from "../../src/submissions/store/memory-store.ts";
import { ownSha256, sha256 } from "../../src/submissions/store/sha256.ts";
import { createRandom } from "./virtual-world.ts";

test("both ways to hash give the digests of node:crypto, whatever the length", () => {
  const random = createRandom(Date.now());
  const letters = ["a", "é", "漢", "🎄", "\u0000", "\n"];
  const pick = () => random.pick(letters);
  for (let length = 0; length < 400; length++) {
    const text = Array.from({ length: length < 200 ? length : random.below(5_000) }, pick).join("");
    const digest = createHash("sha256").update(text).digest("hex");
    expect([ownSha256(text), sha256(text)], JSON.stringify(text)).toEqual([digest, digest]);
  }
});

test("the digest of a request is the same without process and crypto", () => {
  const request = ["jobs.submit", undefined, { prompt: "Limonade à la 🍋", action: "generate-ad" }];
  const digest = digestOf(request);
  vi.stubGlobal("process", undefined);
  vi.stubGlobal("crypto", undefined);
  try {
    expect(digestOf(request)).toBe(digest);
  } finally {
    vi.unstubAllGlobals();
  }
});

afterEach(() => {
  vi.useRealTimers();
});

// In the tests of many users, clocks stand still and nobody advances a timer.
test("a submission with an id needs no time under fake timers", async () => {
  vi.useFakeTimers();
  let posts = 0;
  const { jobs } = createClient({
    baseUrl: "https://api.example.com",
    apiKey: "test-key",
    submissions: createSubmissions(createMemoryStore()),
    fetch: async () => {
      posts++;
      const data = { job_id: `job_${posts}`, status: "queued" };
      return Response.json({ success: true, data, error: null });
    },
  });
  for (const _ of ["first", "repeat"]) {
    const job = await jobs.submit({ action: "generate-ad" }, { once: "order-17" });
    expect(job.job_id).toBe("job_1");
  }
  expect(posts).toBe(1);
});
