import { readFileSync, writeFileSync } from "node:fs";
import { messageOf } from "../log-line.ts";

/** Writes a seed file to begin with. */
const exampleFor = (
  file: string,
): string => `// Start the mock with it: npx -p adgen-sdk adgen-mock --seed-file ${file}
// The fields are the options of createMockService. Leave out what you don't need.
// Lines that begin with // are comments.
{
  // Accounts by API key. A kind of credits that is left out has 100 a month.
  "accounts": {
    "test-key": {
      "credits": { "image": { "monthly": 100, "purchased": 20 }, "video": { "monthly": 50 } },
      // Without an id, a thing gets one of the mock's own.
      "brands": [{ "id": "brand_acme", "name": "Acme", "colors": ["#0b6e4f", "#f4a259"] }],
      "savedAds": [{ "id": "ad_spring", "brand_id": "brand_acme", "headline": "Spring is here" }],
      // Finished jobs. One without "fail" has completed, by default with a result of the mock's own.
      "jobs": [
        { "id": "job_spring", "action": "generate-ad", "prompt": "Spring", "brand_id": "brand_acme" },
        { "id": "job_refused", "action": "edit-ad", "fail": "moderation" }
      ]
    },
    "test-poor": { "credits": { "image": { "monthly": 0 }, "video": { "monthly": 0 } } }
  },
  // "per-poll", or milliseconds in each state.
  "timeline": { "queuedMs": 1500, "processingMs": 4000 },
  // true refuses parameters of a job that the API's document does not name.
  "strict": false
}
`;

/** Reads JSON from a file in which whole lines may be comments. Errors name the lines of the file. */
export const readSeedText = (file: string): unknown => {
  const lines = readFileSync(file, "utf8")
    .replace(/^\uFEFF/, "")
    .split("\n");
  return JSON.parse(lines.map((line) => (/^\s*\/\//.test(line) ? "" : line)).join("\n"));
};

/**
 * Runs `adgen-mock init`: writes a seed file to begin with.
 *
 * @returns the exit code: 0, 1 when the file exists or cannot be written, 2 for bad arguments
 */
export const writeSeedFile = (
  [file = "adgen-seed.json", ...others]: readonly string[],
  { print, printError }: Readonly<Record<"print" | "printError", (text: string) => void>>,
): number => {
  if (file.startsWith("-") || others.length > 0) {
    const isAsked = file === "--help" || file === "-h";
    const usage =
      "Usage: adgen-mock init [file]     writes a seed file, by default adgen-seed.json";
    (isAsked ? print : printError)(usage);
    return isAsked ? 0 : 2;
  }
  try {
    writeFileSync(file, exampleFor(file), { flag: "wx" });
  } catch (error) {
    const isThere = (error as NodeJS.ErrnoException).code === "EEXIST";
    const why = isThere ? "it is there already; name another file" : messageOf(error);
    printError(`adgen-mock: ${file} cannot be written: ${why}`);
    return 1;
  }
  print(`${file} is written. Start the mock: npx -p adgen-sdk adgen-mock --seed-file ${file}`);
  return 0;
};
