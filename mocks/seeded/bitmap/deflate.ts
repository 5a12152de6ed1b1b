/** Writes bits, the lowest bit of a byte first. */
type WriteBits = (value: number, length: number) => void;

/**
 * Compresses runs of equal bytes into a zlib stream (RFC 1950 and 1951). Pictures of few colours
 * consist of such runs. Libraries look for any repetition, which takes ten times as long.
 */
export interface RunWriter {
  /** Adds a byte so many times. */
  readonly add: (byte: number, times: number) => void;
  readonly end: () => readonly number[];
}

const [endOfBlock, longest, lastSymbol] = [256, 258, 285];

const none = { symbol: 0, extra: 0, extraBits: 0 };

/** Symbol of each length of a repetition, its extra bits, and the number of them. */
const lengths = Array.from({ length: longest + 1 }, (_, length) => {
  if (length < 3) return none;
  if (length === longest) return { symbol: lastSymbol, extra: 0, extraBits: 0 };
  // Four symbols for each number of extra bits; the first eight have none.
  const extraBits = Math.max(29 - Math.clz32(length - 3), 0);
  const step = (length - 3) >> extraBits;
  return {
    symbol: endOfBlock + 1 + 4 * extraBits + step,
    extra: (length - 3) & ((1 << extraBits) - 1),
    extraBits,
  };
});

/** Turns the bits of a code around, because a stream has the first bit of a code lowest. */
const turn = (code: number, length: number): number => {
  let turned = 0;
  for (let bit = 0; bit < length; bit += 1) turned |= ((code >> bit) & 1) << (length - 1 - bit);
  return turned;
};

/** Finds the lengths of Huffman's codes. Rare symbols count for more, so that none is over 15 bits. */
const codeLengths = (counts: Uint32Array): Uint8Array => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const trees = [...counts.entries()]
    .filter(([, count]) => count > 0)
    .map(([symbol, count]) => ({
      weight: Math.max(count, Math.ceil(total / 1000)),
      symbols: [symbol],
    }));
  const found = new Uint8Array(counts.length);
  while (trees.length > 1) {
    trees.sort((a, b) => b.weight - a.weight);
    const [one, other] = trees.splice(-2);
    if (one === undefined || other === undefined) break;
    const symbols = [...one.symbols, ...other.symbols];
    for (const symbol of symbols) found[symbol] = (found[symbol] ?? 0) + 1;
    trees.push({ weight: one.weight + other.weight, symbols });
  }
  return found;
};

/** Gives each symbol its code, by the order of lengths and then of symbols. */
const codesOf = (codeLengthOf: Uint8Array): Uint16Array => {
  const codes = new Uint16Array(codeLengthOf.length);
  let code = 0;
  for (let length = 1; length <= 15; length += 1) {
    code <<= 1;
    for (const [symbol, own] of codeLengthOf.entries()) {
      if (own !== length) continue;
      codes[symbol] = turn(code, length);
      code += 1;
    }
  }
  return codes;
};

const createBits = () => {
  const bytes: number[] = [];
  let [pending, pendingBits] = [0, 0];
  const write: WriteBits = (value, length) => {
    pending |= value << pendingBits;
    pendingBits += length;
    for (; pendingBits >= 8; pendingBits -= 8) {
      bytes.push(pending & 255);
      pending >>>= 8;
    }
  };
  return { bytes, write };
};

/** Writes the table of the codes: a length takes 5 bits there, a run of 11 zeros or more takes 8. */
const writeTable = (write: WriteBits, codeLengthOf: Uint8Array): void => {
  write(0b101, 3); // the last block, with a table
  write(lastSymbol - endOfBlock, 5);
  write(0, 5); // one distance
  write(15, 4); // the lengths of all lengths follow: of 16, 17, 18, then of the others
  for (const length of [0, 0, 1, ...new Array<number>(16).fill(5)]) write(length, 3);
  const writeLength = (length: number): void => write(turn(16 + length, 5), 5);
  let zeros = 0;
  // The code of the only distance, 1, has one bit.
  for (const length of [...codeLengthOf, 1]) {
    if (length === 0) {
      zeros += 1;
      continue;
    }
    for (; zeros >= 11; zeros -= Math.min(zeros, 138)) write((Math.min(zeros, 138) - 11) << 1, 8);
    for (; zeros > 0; zeros -= 1) writeLength(0);
    writeLength(length);
  }
};

export const createRunWriter = (): RunWriter => {
  /** Bytes; and lengths of repetitions, on top of 256. */
  const symbols: number[] = [];
  const counts = new Uint32Array(lastSymbol + 1);
  counts[endOfBlock] = 1;
  // Checksum of Adler.
  let [low, high] = [1, 0];
  let [byte, times] = [-1, 0];

  const put = (symbol: number, count: number): void => {
    symbols.push(symbol);
    counts[count] = (counts[count] ?? 0) + 1;
  };

  const flush = (): void => {
    if (times === 0) return;
    high = (high + times * low + (byte * times * (times + 1)) / 2) % 65_521;
    low = (low + times * byte) % 65_521;
    put(byte, byte);
    let left = times - 1;
    while (left >= 3) {
      const length = Math.min(left, longest);
      put(256 + length, lengths[length]?.symbol ?? 0);
      left -= length;
    }
    for (; left > 0; left -= 1) put(byte, byte);
    times = 0;
  };

  return {
    add: (next, more) => {
      if (next !== byte) flush();
      byte = next;
      times += more;
    },
    end: () => {
      flush();
      const codeLengthOf = codeLengths(counts);
      const codes = codesOf(codeLengthOf);
      const { bytes, write } = createBits();
      const writeSymbol = (symbol: number): void =>
        write(codes[symbol] ?? 0, codeLengthOf[symbol] ?? 0);
      writeTable(write, codeLengthOf);
      for (const entry of symbols) {
        if (entry < 256) {
          writeSymbol(entry);
          continue;
        }
        const { symbol, extra, extraBits } = lengths[entry - 256] ?? none;
        writeSymbol(symbol);
        write(extra, extraBits + 1); // and the distance 1, a zero
      }
      writeSymbol(endOfBlock);
      write(0, 7); // fills the last byte
      return [0x78, 1, ...bytes, high >>> 8, high & 255, low >>> 8, low & 255];
    },
  };
};
