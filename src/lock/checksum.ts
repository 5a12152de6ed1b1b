const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xed_b8_83_20 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** Returns the CRC-32 of a text's bytes, as eight hexadecimal digits. Node 22.0 has no `zlib.crc32`. */
export const checksum = (text: string): string => {
  let value = 0xff_ff_ff_ff;
  for (const byte of Buffer.from(text)) value = (table[(value ^ byte) & 255] ?? 0) ^ (value >>> 8);
  return ((value ^ 0xff_ff_ff_ff) >>> 0).toString(16).padStart(8, "0");
};
