import { isLoopback } from "../../../network/loopback.ts";
import { messageOf, printable } from "../log-line.ts";
import { type MockServer, startMockServer } from "../start-mock-server.ts";
import { type FlagValues, helpText, optionsOf, readFlags } from "./arguments.ts";

/** Parts of the process that the command uses. */
interface CliProcess {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  /** Version of the package. */
  readonly version: string;
  /** Aborts when the command is to stop, gracefully. */
  readonly stopping: AbortSignal;
  /** Resolves when the standard input has ended; reads it from the first call on. */
  readonly stdinEnded: () => Promise<void>;
  /** Resolves when the package manager that started the process has ended. */
  readonly starterEnded: () => Promise<void>;
}

/** Quotes a text for a shell when it holds characters with a meaning there. */
const quoted = (text: string): string =>
  /^[\w.,:/@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;

const greeting = ({ url, service }: MockServer, version: string): string => {
  const keys = service.accounts.map(({ key }) => key);
  return (
    `adgen-mock ${version} listens on ${url}\n` +
    `Page   ${url}/__mock/\n` +
    `Keys   ${keys.join("  ")}\n\n` +
    `export ADGEN_BASE_URL=${url}\n` +
    `export ADGEN_API_KEY=${quoted(keys[0] ?? "")}\n\n`
  );
};

const explain = (error: unknown, { host, port }: FlagValues): string =>
  error instanceof Error && "code" in error && error.code === "EADDRINUSE"
    ? `Port ${port} is in use (${host}:${port}): choose another one with --port`
    : messageOf(error);

const aborts = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));

const stdinLine = "stops, because standard input has ended";
const starterLine = "stops, because the npm or npx that started it has ended";
const never = new Promise<never>(() => {});

/**
 * Runs the command `adgen-mock`.
 *
 * @param args - Without the names of node and of the program.
 * @returns the exit code: 0 after a stop, 1 after a failure, 2 for a bad argument
 */
export const runCli = async (
  args: readonly string[],
  { stdout, stderr, version, stopping, stdinEnded, starterEnded }: CliProcess,
): Promise<number> => {
  const complain = (line: string): void => {
    stderr.write(`adgen-mock: ${printable(line)}\n`);
  };
  let flags: FlagValues;
  try {
    flags = readFlags(args);
  } catch (error) {
    // Node explains its own refusals in further lines and sentences.
    const [reason] = messageOf(error).split(/\.?\n|\. /);
    complain(`${reason} (see --help)`);
    return 2;
  }
  if (flags.help || flags.version) {
    stdout.write(flags.help ? helpText : `${version}\n`);
    return 0;
  }
  const log = (line: string): void => {
    if (!flags.quiet) stdout.write(`${line}\n`);
  };
  const ended = Promise.race([
    aborts(stopping),
    flags["end-with-stdin"] ? stdinEnded().then(() => complain(stdinLine)) : never,
    starterEnded().then(() => complain(starterLine)),
  ]);
  let server: MockServer | undefined;
  try {
    const starting = startMockServer({ ...optionsOf(flags), log, warn: complain });
    server = (await Promise.race([starting, ended])) ?? undefined;
    // It is to stop, and has answered no request yet.
    if (server === undefined) return 0;
  } catch (error) {
    complain(explain(error, flags));
    return error instanceof TypeError ? 2 : 1;
  }
  if (!isLoopback(flags.host)) {
    const warning = "lets everybody who reaches this machine use the service,";
    complain(`warning: --host ${flags.host} ${warning}`);
    complain("see its keys and administer it below /__mock/");
  }
  stdout.write(greeting(server, version));
  if (!stopping.aborted) await ended;
  try {
    await server.close();
    return 0;
  } catch (error) {
    complain(messageOf(error));
    return 1;
  }
};
