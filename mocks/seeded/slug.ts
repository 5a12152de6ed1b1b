/** Makes a part of a key from the name of a test: small letters, digits and hyphens, 40 at most. */
export const slug = (testName: string): string =>
  testName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(-40);
