// The names of shared declarations, as Rollup writes them and as the package has them.
import { describe, expect, test } from "vitest";
import { nameChunks } from "../../tools/declaration-chunks.ts";

/** Renames declarations. Entries are those whose names hold no hash. */
const rename = (files: Readonly<Record<string, string>>, entries = ["index.d.ts"]) =>
  Object.fromEntries(nameChunks(new Map(Object.entries(files)), entries));

const chunk = `interface AdGenClient {}
type Job = string;
export { type AdGenClient as A, Job as J, Job };
`;

describe("a chunk of declarations", () => {
  test("gets a name without its hash, and exports what it declares by its own name", () => {
    expect(rename({ "job-list-It8L-C_-.d.ts": chunk })).toEqual({
      "shared/job-list.d.ts": `interface AdGenClient {}
type Job = string;
export { type AdGenClient, Job, Job };
`,
    });
  });

  test("is imported and exported by these names, and keeps those that its readers give", () => {
    const index = `import { A as AdGenClient, type J as Other } from './client-00000000.js';
export { A as Client, Job, type J as Work } from './client-00000000.js';
declare const own: AdGenClient & Other;
export { own as mine };
`;
    expect(rename({ "index.d.ts": index, "client-00000000.d.ts": chunk })["index.d.ts"]).toBe(
      `import { AdGenClient, type Job as Other } from './shared/client.js';
export { AdGenClient as Client, Job, type Job as Work } from './shared/client.js';
declare const own: AdGenClient & Other;
export { own as mine };
`,
    );
  });

  test("leads to entries and to other chunks from its new folder, and other packages stay", () => {
    const jobs = `import { A } from './client-00000000.js';
import { Mock } from './mocks/index.js';
import * as all from './client-00000000.js';
import './index.js';
import { z as A } from 'zod';
import fs from "node:fs";
type Jobs = A;
export { Jobs as J };
`;
    const file = `import { J as Jobs } from '../jobs-00000000.js';
`;
    const renamed = rename(
      {
        ...{ "index.d.ts": "", "mocks/index.d.ts": "", "submissions/file.d.ts": file },
        ...{ "client-00000000.d.ts": chunk, "jobs-00000000.d.ts": jobs },
      },
      ["index.d.ts", "mocks/index.d.ts", "submissions/file.d.ts"],
    );
    expect(renamed["shared/jobs.d.ts"]).toBe(`import { AdGenClient as A } from './client.js';
import { Mock } from '../mocks/index.js';
import * as all from './client.js';
import '../index.js';
import { z as A } from 'zod';
import fs from "node:fs";
type Jobs = A;
export { Jobs };
`);
    expect(renamed["submissions/file.d.ts"]).toBe("import { Jobs } from '../shared/jobs.js';\n");
  });

  test.each([
    ["11111111", "22222222", "33333333"],
    ["33333333", "22222222", "11111111"],
    ["22222222", "33333333", "11111111"],
  ])("of a name that others have gets a number, whatever its hash: %s, %s, %s", (...hashes) => {
    const [one, two, three] = hashes;
    const declare = (...names: string[]) =>
      `export { ${names.map((name) => `${name} as x${name}`)} };`;
    const renamed = rename({
      [`client-${two}.d.ts`]: declare("C", "B"),
      [`client-${one}.d.ts`]: declare("D", "A"),
      [`client-${three}.d.ts`]: declare("E"),
    });
    expect(renamed).toEqual({
      "shared/client.d.ts": "export { D, A };",
      "shared/client-2.d.ts": "export { C, B };",
      "shared/client-3.d.ts": "export { E };",
    });
  });
});

describe("a build is refused", () => {
  test.each<[string, Record<string, string>, string]>([
    [
      "whose chunk has no hash",
      { "client.d.ts": chunk },
      "client.d.ts is no entry, and has no hash",
    ],
    ["whose hash is too short", { "client-0000000.d.ts": "" }, "has no hash in its name"],
    ["whose hash is too long", { "client-000000000.d.ts": "" }, "has no hash in its name"],
    ["whose chunk has capitals", { "Client-00000000.d.ts": "" }, "has no hash in its name"],
    [
      "whose chunk exports another file",
      { "client-00000000.d.ts": "export { Job } from './jobs-00000000.js';" },
      "client-00000000.d.ts exports another file",
    ],
    [
      "that imports what a chunk does not export",
      {
        "index.d.ts": "import { B } from './client-00000000.js';",
        "client-00000000.d.ts": chunk,
      },
      "client-00000000.d.ts has no B",
    ],
    [
      "that imports by the name within a chunk",
      {
        "index.d.ts": "import { AdGenClient } from './client-00000000.js';",
        "client-00000000.d.ts": chunk,
      },
      "client-00000000.d.ts has no AdGenClient",
    ],
  ])("%s", (_, files, message) => {
    expect(() => rename(files)).toThrow(message);
  });
});
