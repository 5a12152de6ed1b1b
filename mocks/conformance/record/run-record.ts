import { once } from "node:events";
import { openSync, writeSync } from "node:fs";
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { adminRefusal } from "../../faces/server/cross-origin.ts";
import { plural } from "../../faces/server/page/markup.ts";
import type { Question, Reply } from "../exchange.ts";
import { hideKeys } from "../hide-keys.ts";
import { messageOf } from "../message-of.ts";
import { assumptionLines, describeCounts } from "../tally.ts";
import { recordPage } from "./page.ts";
import { type Passed, passOn, pathOf } from "./pass-on.ts";
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
  /** Keys of all requests: none of them is printed, shown or written. */
  const keys = new Set<string>();
  const hide = (text: string): string => hideKeys(text, keys);

  /** Notes what a request says of who sends it. */
  const noteKeys = ({ authorization, "x-api-key": other }: IncomingHttpHeaders): void => {
    const key = /^\S+[ \t]+(\S.*?)[ \t]*$/.exec(authorization ?? "")?.[1] ?? authorization;
    for (const found of [key, other].flat()) if (found) keys.add(found);
  };

  const hideHeaders = (headers: Readonly<Record<string, string>>, kept: readonly string[]) =>
    Object.fromEntries(
      kept.flatMap((name) => {
        const value = headers[name];
        return value === undefined ? [] : [[name, hide(value)]];
      }),
    );

  /** Hides the keys of an exchange, before anything of it is cut, compared or shown. */
  const hidden = ({ question, reply }: Passed): Passed => ({
    question: {
      ...question,
      path: hide(question.path),
      headers: hideHeaders(question.headers, [
        "authorization",
        "content-type",
        "access-control-request-method",
      ]),
      ...(question.body !== undefined && { body: hide(question.body) }),
    },
    reply: {
      ...reply,
      headers: hideHeaders(reply.headers, [
        "content-type",
        "allow",
        "location",
        "retry-after",
        "www-authenticate",
        "x-request-id",
      ]),
      body: hide(reply.body),
    },
  });

  const file = writePath === undefined ? undefined : openSync(writePath, "a", 0o600);
  const write = (question: Question, reply: Reply | null): void => {
    if (file === undefined) return;
    try {
      writeSync(file, `${JSON.stringify({ at: new Date().toISOString(), question, reply })}\n`);
    } catch (error) {
      printError(`${writePath} cannot be written: ${messageOf(error)}`);
    }
  };

  /** Compares an exchange. The client has its answer by then, whatever happens here. */
  const note = (passed: Passed): void => {
    try {
      const { question, reply } = hidden(passed);
      write(question, reply);
      const { news } = recorder.note(question, reply);
      const { method, path } = question;
      if (!json) print([`${method} ${path} ${reply.status}`, ...news].join("\n  "));
    } catch (error) {
      printError(hide(`The answer cannot be compared: ${messageOf(error)}`));
    }
  };

  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { method = "GET", headers } = incoming;
    noteKeys(headers);
    try {
      note(await passOn(incoming, outgoing, to));
    } catch (error) {
      // The client learns what it would learn without this command: the connection broke.
      outgoing.destroy();
      recorder.noteUnanswered();
      const path = hide(pathOf(incoming));
      write({ method, path, headers: {} }, null);
      const doubt = method === "POST" ? "; what it asked for may be done, and charged" : "";
      printError(hide(`${method} ${path}: no answer: ${messageOf(error)}${doubt}`));
    }
  };

  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const { pathname = "/" } = URL.parse(`http://service.invalid${pathOf(incoming)}`) ?? {};
    const page = recordPage(pathname, to, recorder.report());
    if (page !== undefined) {
      const asked = URL.parse(`http://${incoming.headers.host}`) ?? to;
      const refusal = adminRefusal(incoming, asked, "127.0.0.1");
      if (refusal !== undefined) {
        outgoing.writeHead(403, { "content-type": "text/plain" }).end(refusal);
        return;
      }
      outgoing.writeHead(200, { "content-type": page.type, ...securityHeaders });
      outgoing.end(page.text);
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
      .catch((error) => printError(hide(messageOf(error))))
      .finally(() => underWay.delete(answered));
  });
  await once(server.listen(port, "127.0.0.1"), "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  if (!json)
    print(
      `Passes requests on to ${to.href}, paid ones too. Ctrl-C ends it, and lists what was seen.\n` +
        `Page   ${url}/__mock/\n\nexport ADGEN_BASE_URL=${url}\n`,
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
  if (json) print(JSON.stringify({ to: to.href, ...report }, null, 2));
  else {
    const { assumptions, unlikeDocument, exchanges, unanswered } = report;
    const unlike = unlikeDocument.map(({ message, answers }) => `✗ ${message} (${answers})`);
    print(["", ...assumptionLines(assumptions, columns), "", ...unlike].join("\n"));
    const lost = unanswered > 0 ? `, and ${plural(unanswered, "request")} without an answer` : "";
    print(`${plural(exchanges, "exchange")}${lost}: ${describeCounts(assumptions)}`);
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
