import { once } from "node:events";
import { openSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { adminRefusal } from "../../faces/server/cross-origin.ts";
import { keyOf } from "../../http/authorization.ts";
import type { Question, Reply } from "../exchange.ts";
import { hideKeys } from "../hide-keys.ts";
import { assumptionLines, describeCounts } from "../tally.ts";
import { recordPage } from "./page.ts";
import { passOn } from "./pass-on.ts";
import { type RecordOptions, readRecordOptions, recordHelp } from "./record-options.ts";
import { createRecorder } from "./recorder.ts";

/** The parts of a process that the command uses. */
interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the recording. */
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

const securityHeaders = {
  "content-security-policy": "default-src 'none'; style-src 'self'; img-src data:",
  "cache-control": "no-store",
};

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const recordAt = async (
  { to, port, writePath, json }: RecordOptions,
  { signal, print, printError }: Surroundings,
): Promise<number> => {
  const recorder = createRecorder();
  /** Keys of all requests: none of them is printed or written. */
  const keys = new Set<string>();
  const printHidden = (text: string): void => print(hideKeys(text, keys));

  const file = writePath === undefined ? undefined : openSync(writePath, "a", 0o600);
  const write = (question: Question, reply: Reply): void => {
    if (file === undefined) return;
    const { authorization: _, ...headers } = question.headers;
    const at = new Date().toISOString();
    const exchange = { at, question: { ...question, headers }, reply };
    const line = JSON.stringify(exchange, (_, value) =>
      typeof value === "string" ? hideKeys(value, keys) : value,
    );
    writeSync(file, `${line}\n`);
  };

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method, url = "/" } = incoming;
    const page = recordPage(url, to, recorder.report());
    if (page !== undefined) {
      const asked = URL.parse(`http://${incoming.headers.host}`) ?? to;
      const refusal = adminRefusal(incoming, asked, "127.0.0.1");
      if (refusal !== undefined) {
        outgoing.writeHead(403, { "content-type": "text/plain" }).end(refusal);
        return;
      }
      outgoing.writeHead(200, { "content-type": page.type, ...securityHeaders });
      outgoing.end(hideKeys(page.text, keys));
      return;
    }
    const key = keyOf(incoming.headers.authorization ?? null);
    if (key !== undefined) keys.add(key);
    try {
      const { question, reply } = await passOn(incoming, outgoing, to);
      const { news } = recorder.note(question, reply);
      if (!json) printHidden([`${method} ${url} ${reply.status}`, ...news].join("\n  ~ "));
      write(question, reply);
    } catch (error) {
      // The client learns what it would learn without this command: the connection broke.
      outgoing.destroy();
      printError(hideKeys(`${method} ${url}: no answer: ${messageOf(error)}`, keys));
    }
  };

  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  await once(server.listen(port, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (!json)
    print(
      `Passes requests on to ${to.href}\nPage   ${url}/__mock/\n\nexport ADGEN_BASE_URL=${url}\n`,
    );
  if (!signal.aborted) await once(signal, "abort");
  server.close();
  server.closeAllConnections();

  const report = recorder.report();
  if (json) printHidden(JSON.stringify({ to: to.href, ...report }, null, 2));
  else {
    const { assumptions, unlikeDocument, exchanges } = report;
    const unlike = unlikeDocument.map(({ message, answers }) => `✗ ${message} (${answers})`);
    printHidden(["", ...assumptionLines(assumptions), "", ...unlike].join("\n"));
    printHidden(`${exchanges} exchanges: ${describeCounts(assumptions)}`);
  }
  return 0;
};

/**
 * Runs the command `adgen-mock record`.
 *
 * @returns the exit code: 0 after a stop, 2 when it cannot begin
 */
export const runRecord = async (
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> => {
  const { env, print, printError } = surroundings;
  try {
    const options = readRecordOptions(args, env);
    if (options !== "help") return await recordAt(options, surroundings);
    print(recordHelp);
    return 0;
  } catch (error) {
    printError(messageOf(error));
    return 2;
  }
};
