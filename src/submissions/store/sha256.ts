import { findNodeModule } from "../../client/internal/platform.ts";

/** Returns the first 32 bits of the fractional parts of the roots of the first primes. */
const fractionsOf = (root: (prime: number) => number, count: number): Uint32Array => {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++) {
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  }
  return Uint32Array.from(primes, (prime) => (root(prime) % 1) * 2 ** 32);
};

/** Pads a message with a one, zeros and its length in bits to whole blocks of 64 bytes. */
const pad = (message: Uint8Array): DataView => {
  const padded = new Uint8Array(Math.ceil((message.length + 9) / 64) * 64);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  return view;
};

/** SHA-256 as FIPS 180-4 describes it, for platforms without `node:crypto`. */
export const ownSha256 = (text: string): string => {
  const constants = fractionsOf(Math.cbrt, 64);
  const hash = fractionsOf(Math.sqrt, 8);
  const message = pad(new TextEncoder().encode(text));
  const words = new Uint32Array(64);
  const rotate = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));
  for (let start = 0; start < message.byteLength; start += 64) {
    for (let index = 0; index < 16; index++) words[index] = message.getUint32(start + 4 * index);
    for (let index = 16; index < 64; index++) {
      const [early = 0, late = 0] = [words[index - 15], words[index - 2]];
      const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
      const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
      words[index] = (words[index - 16] ?? 0) + first + (words[index - 7] ?? 0) + second;
    }
    let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = hash;
    for (let index = 0; index < 64; index++) {
      const choice = (e & f) ^ (~e & g);
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const mixedE = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
      const mixedA = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
      const added = (h + mixedE + choice + (constants[index] ?? 0) + (words[index] ?? 0)) | 0;
      [h, g, f, e] = [g, f, e, (d + added) | 0];
      [d, c, b, a] = [c, b, a, (added + mixedA + majority) | 0];
    }
    for (const [index, word] of [a, b, c, d, e, f, g, h].entries()) {
      hash[index] = (hash[index] ?? 0) + word;
    }
  }
  return Array.from(hash, (word) => word.toString(16).padStart(8, "0")).join("");
};

/**
 * Returns the SHA-256 of a text in UTF-8, in hexadecimal digits. It does not use `crypto.subtle`,
 * which is asynchronous, and is missing in jsdom and in pages without https.
 */
export const sha256 = (text: string): string => {
  const crypto = findNodeModule("node:crypto");
  return crypto?.createHash("sha256").update(text).digest("hex") ?? ownSha256(text);
};
