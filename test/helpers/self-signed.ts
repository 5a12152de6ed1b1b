/** Makes a certificate that no authority has signed. */
export const makeSelfSigned = async (commonName: string) => {
  const before = Object.keys(globalThis);
  const { generate } = await import("selfsigned");
  const added = Object.keys(globalThis).filter((name) => !before.includes(name));
  // A dependency adds its functions to the globals, although it doesn't read them there.
  for (const name of added) Reflect.deleteProperty(globalThis, name);
  const subject = [{ name: "commonName", value: commonName }];
  const { private: key, cert } = await generate(subject, { algorithm: "sha256", keyType: "ec" });
  return { key, cert };
};
