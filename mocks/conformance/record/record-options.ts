import { parseArgs } from "node:util";
import { readBaseUrl } from "../read-base-url.ts";

export const recordHelp = `Usage: adgen-mock record --to <url> [options]

Passes each request on to a real service, and its answer back. It compares each answer with
openapi.json and with the assumptions, tells each new difference, and lists all assumptions at the
end (Ctrl-C) and on its page. It sends nothing by itself, and no request twice.

  --to <url>       the service, or $ADGEN_BASE_URL
  --port <number>  port of this machine to listen on; 0 takes a free one (default 4472)
  --write <file>   appends each exchange to this file, one JSON a line, without keys
  --json           prints the report as JSON, at the end
  -h, --help

Ends with 0, or with 2 when it cannot begin.
`;

/** Reads the arguments, and the environment for the address. */
export const readRecordOptions = (
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      to: { type: "string" },
      port: { type: "string", default: "4472" },
      write: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return "help";
  if (!/^\d+$/.test(values.port) || Number(values.port) > 65_535) {
    throw new Error("--port must be a whole number from 0 to 65535");
  }
  if (values.write === "") throw new Error("--write must name a file");
  return {
    to: readBaseUrl("to", values.to ?? env["ADGEN_BASE_URL"]),
    port: Number(values.port),
    writePath: values.write,
    json: values.json,
  };
};

/** Options of a recording. */
export type RecordOptions = Exclude<ReturnType<typeof readRecordOptions>, "help">;
