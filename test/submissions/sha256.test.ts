import { createHash } from "node:crypto";
import { expect, test, vi } from "vitest";
import { digestOf } from "../../src/submissions/store/digest.ts";
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
])("a digest is the same %s", (_, process) => {
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
