import type { Stream } from "./h264.ts";

type Part = number | readonly number[] | Uint8Array | string;

const ascii = (text: string): number[] => Array.from(text, (letter) => letter.charCodeAt(0));

const bytesOf = (value: number, length: number): number[] =>
  Array.from({ length }, (_, index) => (value >>> (8 * (length - 1 - index))) & 255);

/** Two bytes of each number. */
const short = (...values: readonly number[]): number[] =>
  values.flatMap((value) => bytesOf(value, 2));

/** Joins the parts of a file: a number has four bytes, a text those of its letters. */
const join = (parts: readonly Part[]): Uint8Array<ArrayBuffer> => {
  const pieces = parts.map((part) => {
    if (typeof part === "number") return bytesOf(part, 4);
    return typeof part === "string" ? ascii(part) : part;
  });
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let place = 0;
  for (const piece of pieces) {
    joined.set(piece, place);
    place += piece.length;
  }
  return joined;
};

/** Makes a box, which is what an MP4 file consists of (ISO 14496-12). */
const box = (name: string, ...parts: readonly Part[]): Uint8Array<ArrayBuffer> => {
  const content = join(parts);
  return join([content.length + 8, name, content]);
};

/** Parts of a second that the times in the file count. */
const timescale = 90_000;

/** Matrix that neither turns nor moves a picture. */
const matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000];

const zeros = (length: number): number[] => new Array<number>(length).fill(0);

/** Facts about a video that its stream does not say. */
export interface VideoFacts {
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly seconds: number;
}

const describeSamples = (
  stream: Stream,
  { width, height }: VideoFacts,
): Uint8Array<ArrayBuffer> => {
  const [sequence, picture] = stream.parameters;
  const configuration = box(
    "avcC",
    // Profile and level; lengths of 4 bytes; then one description of each kind.
    [1, ...sequence.subarray(1, 4), 0xff, 0xe1],
    [...short(sequence.length), ...sequence],
    [1, ...short(picture.length), ...picture],
  );
  const visual = [
    ...[...zeros(6), ...short(1), ...zeros(16), ...short(width, height)],
    // 72 dots an inch, one frame a sample, no name, 24 bits a pixel.
    ...[...short(72, 0, 72, 0, 0, 0, 1), ...zeros(32), ...short(24, 0xffff)],
  ];
  return box("stsd", 0, 1, box("avc1", visual, configuration));
};

/** Writes the part of the file that says where the frames are and how long each is shown. */
const describe = (
  stream: Stream,
  facts: VideoFacts,
  firstFrameAt: number,
): Uint8Array<ArrayBuffer> => {
  const { frames } = stream;
  const { width, height, seconds } = facts;
  const each = Math.max(Math.round((seconds * timescale) / frames.length), 1);
  const length = each * frames.length;
  const samples = box(
    "stbl",
    describeSamples(stream, facts),
    box("stts", 0, 1, frames.length, each),
    box("stss", 0, 1, 1),
    box("stsc", 0, 1, 1, frames.length, 1),
    box("stsz", 0, 0, frames.length, ...frames.map((frame) => frame.length + 4)),
    box("stco", 0, 1, firstFrameAt),
  );
  const here = box("dinf", box("dref", 0, 1, box("url ", 1)));
  const media = box(
    "mdia",
    // The language "und", five bits a letter.
    box("mdhd", 0, 0, 0, timescale, length, short(0x55c4, 0)),
    box("hdlr", 0, 0, "vide", zeros(12), [0]),
    box("minf", box("vmhd", 1, zeros(8)), here, samples),
  );
  const track = box(
    "trak",
    // Enabled, in the movie, in the preview.
    box("tkhd", 7, 0, 0, 1, 0, length, zeros(16), ...matrix, short(width, 0, height, 0)),
    media,
  );
  // At normal speed and full volume; the next track would have the number 2.
  const movie = [0, 0, 0, timescale, length, 0x10000, short(0x100, 0), 0, 0, ...matrix];
  return box("moov", box("mvhd", ...movie, zeros(24), 2), track);
};

/** Writes a video as an MP4 file that plays while it still loads. */
export const writeMp4 = (stream: Stream, facts: VideoFacts): Uint8Array<ArrayBuffer> => {
  const type = box("ftyp", "isom", 0x200, "isomiso2avc1mp41");
  const head = type.length + describe(stream, facts, 0).length;
  const frames = stream.frames.flatMap((frame): Part[] => [frame.length, frame]);
  return join([type, describe(stream, facts, head + 8), box("mdat", ...frames)]);
};
