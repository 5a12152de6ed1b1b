/** The commands. `POST /__mock/<method>` calls a method, with its arguments as a JSON list. */
import type { Context } from "hono";
import { failureEnvelope, successEnvelope } from "../../src/contract/envelope.ts";
import { parseJson, writeJson } from "../connect/json-with-infinity.ts";
import { findNear } from "../options/near-name.ts";

export const jsonHeaders = { "content-type": "application/json", "cache-control": "no-store" };

export const refuseCommand = (status: number, message: string): Response =>
  new Response(JSON.stringify(failureEnvelope(message)), { status, headers: jsonHeaders });

/** Methods that only the service's own process can call. */
const local = ["fetch", "reply", "artwork"];

/** Runs a method such as `faults.play` on a service or an account, and returns its result. */
const run = (owner: object, command: string, given: readonly unknown[]): unknown => {
  const path = command.split(".");
  let member: unknown = owner;
  for (const name of path) {
    const isThere = Object(member) === member && Object.hasOwn(member as object, name);
    if (!isThere || local.includes(name)) {
      const near = findNear(command, [...signatures.keys()]);
      const hint = near === undefined || near === command ? "" : `; did you mean "${near}"?`;
      throw new Error(`The mock has no "${command}"${hint}`);
    }
    member = Reflect.get(member as object, name);
  }
  return typeof member === "function" ? member(...given) : member;
};

/** The arguments of each method that has any. A "?" marks an optional one. */
const signatures = new Map(
  Object.entries({
    addAccount: "key, options?",
    removeAccount: "key",
    priceOf: "request",
    "clock.advance": "ms",
    "clock.setTime": "ms",
    "faults.play": "fault, options?",
    "faults.remove": "id",
    "jobs.next": "outcome, options?",
    "jobs.removeScheduled": "id",
    "jobs.complete": "jobId, result?",
    "jobs.fail": "jobId, reason?",
    "jobs.expire": "jobId",
    "jobs.find": "jobId",
    "jobs.inspect": "jobId",
    "jobs.latest": "limit",
    "journal.find": "filter?",
    "journal.assertOne": "filter?",
    "journal.assertCount": "count, filter?",
    "journal.assertNone": "filter?",
    assertCharges: "charges",
    grant: "credits",
    setCredits: "credits",
  }),
);

/** Reads the arguments of a command. @throws TypeError unless they are a JSON list of the right length */
const readArguments = (command: string, text: string): readonly unknown[] => {
  const given = parseJson(text || "[]");
  const names = signatures.get(command)?.split(", ");
  const min = names?.filter((name) => !name.endsWith("?")).length ?? 0;
  if (!Array.isArray(given)) throw new TypeError("The arguments of a command must be a JSON list");
  const fits = given.length >= min && given.length <= (names ?? given).length;
  if (!fits) throw new TypeError(`The command was given ${given.length} arguments`);
  return given;
};

/** Runs the method that a request names, with the arguments in its body. */
export const answerCommand = async ({ req }: Context, owner: () => object): Promise<Response> => {
  // A page of another origin can't send JSON without a preflight, and preflights are refused here.
  const isJson = req.header("content-type")?.startsWith("application/json");
  if (!isJson) return refuseCommand(415, "A command must have the content type application/json");
  const command = req.param("command") ?? "";
  try {
    const data = run(owner(), command, readArguments(command, await req.text())) ?? null;
    return new Response(writeJson(successEnvelope(data)), { headers: jsonHeaders });
  } catch (error) {
    // A TypeError is about the arguments; a failed assertion throws an Error.
    const names = error instanceof TypeError ? signatures.get(command) : undefined;
    const usage = names === undefined ? "" : `; the command is ${command}(${names})`;
    return refuseCommand(400, (error as Error).message + usage);
  }
};
