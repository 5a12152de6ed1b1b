import { createHash } from "node:crypto";
import { install } from "@sinonjs/fake-timers";
import { afterEach, expect, test, vi } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import { digestOf } from "../../src/submissions/store/digest.ts";
import { createMemoryStore } from "../../src/submissions/store/memory-store.ts";
import { ownSha256, sha256 } from "../../src/submissions/store/sha256.ts";
import { createRandom } from "./virtual-world.ts";

// These digests are published in FIPS 180-4 and in NIST's examples.
test.each([
  ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
  ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
  [
    "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
    "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
  ],
  ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
])("both ways to hash give the published digest of a text (%#)", (text, digest) => {
  expect([ownSha256(text), sha256(text)]).toEqual([digest, digest]);
});

test("the library's own SHA-256 gives the digests of node:crypto, whatever the length", () => {
  const random = createRandom(Date.now());
  const letters = ["a", "é", "漢", "🎄", "\u0000", "\n"];
  const pick = () => random.pick(letters);
  for (let length = 0; length < 400; length++) {
    const text = Array.from({ length: length < 200 ? length : random.below(5_000) }, pick).join("");
    expect(ownSha256(text), JSON.stringify(text)).toBe(
      createHash("sha256").update(text).digest("hex"),
    );
  }
});

const stubOfEdge = () => {
  throw new Error("A Node.js API is used (process.getBuiltinModule)");
};

test.each([
  ["without process and crypto", undefined],
  ["in Next.js's edge runtime, where getBuiltinModule throws", { getBuiltinModule: stubOfEdge }],
])("the digest of a request is the same %s", (_, process) => {
  const request = ["jobs.submit", undefined, { prompt: "Limonade à la 🍋", action: "generate-ad" }];
  const digest = digestOf(request);
  vi.stubGlobal("process", process);
  vi.stubGlobal("crypto", undefined);
  try {
    expect(digestOf(request)).toBe(digest);
  } finally {
    vi.unstubAllGlobals();
  }
});

// In the tests of many users, clocks stand still and nobody advances a timer.
/** Submits one order twice, as an application does in its tests. */
const submitTwice = async (): Promise<{ ids: string[]; posts: number }> => {
  let posts = 0;
  const client = createClient({
    baseUrl: "https://api.example.com",
    apiKey: "test-key",
    submissions: createSubmissions(createMemoryStore()),
    fetch: async () => {
      posts++;
      const data = { job_id: `job_${posts}`, status: "queued" };
      return Response.json({ success: true, data, error: null });
    },
  });
  const submit = () => client.jobs.submit({ action: "generate-ad" }, { once: "order-17" });
  return { ids: [(await submit()).job_id, (await submit()).job_id], posts };
};

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a submission with an id needs no time under Vitest's fake timers", async () => {
  vi.useFakeTimers();
  expect(await submitTwice()).toEqual({ ids: ["job_1", "job_1"], posts: 1 });
});

// Node's streams need these two functions: without them, not even `response.json()` resolves.
const neededByNode = ["nextTick", "queueMicrotask"] as const;

test.each([
  ["for everything else", { toNotFake: [...neededByNode] }],
  ["at a time long ago", { toNotFake: [...neededByNode], now: 0 }],
])("a submission with an id needs no time under Sinon's fake timers %s", async (_, options) => {
  const clock = install(options);
  try {
    expect(await submitTwice()).toEqual({ ids: ["job_1", "job_1"], posts: 1 });
  } finally {
    clock.uninstall();
  }
});

test("a submission with an id needs no crypto.subtle under fake timers", async () => {
  vi.useFakeTimers();
  vi.spyOn(crypto, "subtle", "get").mockReturnValue(undefined as never);
  expect(await submitTwice()).toEqual({ ids: ["job_1", "job_1"], posts: 1 });
});
