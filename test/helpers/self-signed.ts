import { generateKeyPairSync, sign } from "node:crypto";

/** Writes one value of DER: its tag, its length and its parts. */
const der = (tag: number, ...parts: (Buffer | number[])[]): Buffer => {
  const content = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const { length } = content;
  const size = length < 128 ? [length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};

const sequence = (...parts: (Buffer | number[])[]): Buffer => der(0x30, ...parts);

const utcTime = (date: Date): Buffer =>
  der(
    0x17,
    Buffer.from(
      `${date
        .toISOString()
        .replace(/[-:T]|\..*/g, "")
        .slice(2)}Z`,
    ),
  );

const day = 86_400_000;

/** Object identifiers: ecdsa-with-SHA256, commonName. */
const ecdsaWithSha256 = sequence([0x06, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2]);
const commonName = [0x06, 3, 0x55, 4, 3];

/** Makes a certificate for `localhost` that no authority has signed, valid for a day. */
export const makeSelfSigned = (): { readonly key: string; readonly cert: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from("localhost")))));
  const now = Date.now();
  const body = sequence(
    der(0xa0, [2, 1, 2]), // version 3
    [2, 1, 1], // serial number
    ecdsaWithSha256,
    name,
    sequence(utcTime(new Date(now - day)), utcTime(new Date(now + day))),
    name,
    publicKey.export({ type: "spki", format: "der" }),
  );
  const signature = sign("sha256", body, privateKey);
  const whole = sequence(body, ecdsaWithSha256, der(0x03, [0], signature));
  const lines = whole.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
  };
};
