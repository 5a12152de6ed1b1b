import { isLoopback } from "../cross-origin.ts";
import { type MockServer, startMockServer } from "../start-mock-server.ts";
import { type CliRequest, helpText, readArguments } from "./arguments.ts";

/** Parts of the process that the command uses. */
export interface CliSurroundings {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Version of the package. */
  readonly version: string;
  /** Aborts when the command is to stop, gracefully. */
  readonly stopping: AbortSignal;
}

/** Replaces control characters of an argument, which could move the terminal's cursor. */
const printable = (text: string): string => text.replace(/[^ -~…]/g, "?");

/** Quotes a text for a shell when it holds characters with a meaning there. */
const quoted = (text: string): string =>
  /^[\w.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const greeting = ({ url, service }: MockServer, version: string, stateFile?: string): string => {
  const keys = service.accounts.map(({ key }) => key);
  const kept = stateFile === undefined ? "" : `State  ${printable(stateFile)}\n`;
  return (
    `adgen-mock ${version} listens on ${url}\n` +
    `Page   ${url}/__mock/\n` +
    `Keys   ${keys.join("  ")}\n` +
    `${kept}\n` +
    `export ADGEN_BASE_URL=${url}\n` +
    `export ADGEN_API_KEY=${quoted(keys[0] ?? "")}\n\n`
  );
};

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

const explain = (error: unknown, host: string, port: number | undefined): string => {
  const where = `${host}:${port}`;
  switch (codeOf(error)) {
    case "EADDRINUSE":
      return `Port ${port} is in use (${where}): choose another one with --port`;
    case "EACCES":
      return `Port ${port} needs rights that this process does not have: choose another with --port`;
    case "ENOTFOUND":
    case "EADDRNOTAVAIL":
    case "EAI_AGAIN":
      return `--host ${host} is no name or address of this machine`;
    default:
      return error instanceof Error ? error.message : String(error);
  }
};

const stopped = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });

const serve = async (
  { options, quiet }: Extract<CliRequest, { what: "serve" }>,
  { stdout, stderr, version, stopping }: CliSurroundings,
): Promise<number> => {
  const { host = "127.0.0.1", port, stateFile } = options;
  const complain = (line: string): void => {
    stderr.write(`adgen-mock: ${printable(line)}\n`);
  };
  let server: MockServer;
  try {
    const log = (line: string): void => {
      if (!quiet) stdout.write(`${line}\n`);
    };
    server = await startMockServer({ ...options, log });
  } catch (error) {
    complain(explain(error, host, port));
    return error instanceof TypeError ? 2 : 1;
  }
  if (!isLoopback(host)) {
    complain(`warning: --host ${host} lets everybody who reaches this machine use the service,`);
    complain("see its keys and administer it below /__mock/");
  }
  stdout.write(greeting(server, version, stateFile));
  await stopped(stopping);
  try {
    await server.close();
    return 0;
  } catch (error) {
    complain(error instanceof Error ? error.message : String(error));
    return 1;
  }
};

/**
 * Runs the command `adgen-mock`.
 *
 * @param args - Without the names of node and of the program.
 * @returns the exit code: 0 after a stop, 1 after a failure, 2 for a bad argument
 */
export const runCli = async (
  args: readonly string[],
  surroundings: CliSurroundings,
): Promise<number> => {
  const { stdout, stderr, version } = surroundings;
  const request = readArguments(args);
  switch (request.what) {
    case "help":
      stdout.write(helpText);
      return 0;
    case "version":
      stdout.write(`${version}\n`);
      return 0;
    case "refused":
      stderr.write(`adgen-mock: ${printable(request.reason)} (see --help)\n`);
      return 2;
    case "serve":
      return serve(request, surroundings);
  }
};
