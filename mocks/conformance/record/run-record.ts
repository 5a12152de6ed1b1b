import { once } from "node:events";
import { openSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { adminRefusal } from "../../faces/server/cross-origin.ts";
import { keyOf } from "../../http/authorization.ts";
import type { Question, Reply } from "../exchange.ts";
import { hideKeys } from "../hide-keys.ts";
import { messageOf } from "../message-of.ts";
import { assumptionLines, describeCounts } from "../tally.ts";
import { recordPage } from "./page.ts";
import { type Passed, passOn } from "./pass-on.ts";
import { type RecordOptions, readRecordOptions, recordHelp } from "./record-options.ts";
import { createRecorder } from "./recorder.ts";

/** The parts of a process that the command uses. */
interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Ends the recording. */
  readonly signal: AbortSignal;
  /** Columns of the terminal that is printed to; absent for a file or a pipe. */
  readonly columns?: number | undefined;
  readonly print: (text: string) => void;
  readonly printError: (text: string) => void;
}

const securityHeaders = {
  "content-security-policy": "default-src 'none'; style-src 'self'; img-src data:",
  "cache-control": "no-store",
};

const recordAt = async (
  { to, port, writePath, json }: RecordOptions,
  { signal, columns, print, printError }: Surroundings,
): Promise<number> => {
  const recorder = createRecorder();
  /** Keys of all requests: none of them is printed or written. */
  const keys = new Set<string>();
  const printHidden = (text: string): void => print(hideKeys(text, keys));

  const file = writePath === undefined ? undefined : openSync(writePath, "a", 0o600);
  const write = (question: Question, reply: Reply | null): void => {
    if (file === undefined) return;
    const { authorization: _, ...headers } = question.headers;
    const at = new Date().toISOString();
    const exchange = { at, question: { ...question, headers }, reply };
    const line = JSON.stringify(exchange, (_, value) =>
      typeof value === "string" ? hideKeys(value, keys) : value,
    );
    try {
      writeSync(file, `${line}\n`);
    } catch (error) {
      printError(`${writePath} cannot be written: ${messageOf(error)}`);
    }
  };

  /** Compares an exchange. The client has its answer by then, whatever happens here. */
  const note = ({ question, reply }: Passed): void => {
    write(question, reply);
    try {
      const { news } = recorder.note(question, reply);
      const { method, path } = question;
      if (!json) printHidden([`${method} ${path} ${reply.status}`, ...news].join("\n  "));
    } catch (error) {
      printError(hideKeys(`The answer cannot be compared: ${messageOf(error)}`, keys));
    }
  };

  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = "GET", url: path = "/", headers } = incoming;
    const key = keyOf(headers.authorization ?? null);
    if (key !== undefined) keys.add(key);
    try {
      note(await passOn(incoming, outgoing, to));
    } catch (error) {
      // The client learns what it would learn without this command: the connection broke.
      outgoing.destroy();
      recorder.noteUnanswered();
      write({ method, path, headers: {} }, null);
      const doubt = method === "POST" ? "; what it asked for may be done, and charged" : "";
      printError(hideKeys(`${method} ${path}: no answer: ${messageOf(error)}${doubt}`, keys));
    }
  };

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { url = "/" } = incoming;
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
    await pass(incoming, outgoing);
  };

  const underWay = new Set<Promise<void>>();
  const server = createServer((incoming, outgoing) => {
    // A client that leaves is no reason to end.
    outgoing.on("error", () => {});
    const answered = answer(incoming, outgoing);
    underWay.add(answered);
    answered
      .catch((error) => printError(hideKeys(messageOf(error), keys)))
      .finally(() => underWay.delete(answered));
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (!json)
    print(
      `Passes requests on to ${to.href}\nPage   ${url}/__mock/\n\nexport ADGEN_BASE_URL=${url}\n`,
    );
  if (!signal.aborted) await once(signal, "abort");
  server.close();
  server.closeIdleConnections();
  if (underWay.size > 0) {
    printError(`Waiting for ${underWay.size} under way; Ctrl-C again ends at once`);
    await Promise.allSettled(underWay);
  }
  server.closeAllConnections();

  const report = recorder.report();
  if (json) printHidden(JSON.stringify({ to: to.href, ...report }, null, 2));
  else {
    const { assumptions, unlikeDocument, exchanges, unanswered } = report;
    const unlike = unlikeDocument.map(({ message, answers }) => `✗ ${message} (${answers})`);
    printHidden(["", ...assumptionLines(assumptions, columns), "", ...unlike].join("\n"));
    const lost = unanswered > 0 ? `, and ${unanswered} requests without an answer` : "";
    printHidden(`${exchanges} exchanges${lost}: ${describeCounts(assumptions)}`);
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
    printError(`adgen-mock record: ${messageOf(error)} (see --help)`);
    return 2;
  }
};
