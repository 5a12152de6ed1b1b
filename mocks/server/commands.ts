/** The commands: each is `POST /__mock/<method>`, with the arguments of the method as a JSON list. */
import type { Context } from "hono";
import { failureEnvelope, successEnvelope } from "../../src/contract/envelope.ts";
import { fromJson, toJson } from "../connect/endless.ts";
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
      const near = findNear(command, Object.keys(signatures));
      const hint = near === undefined || near === command ? "" : `: did you mean "${near}"?`;
      throw new Error(`The mock has no "${command}"${hint}`);
    }
    member = Reflect.get(member as object, name);
  }
  return typeof member === "function" ? member(...given) : member;
};

/** The arguments of each method that has any; a "?" marks those that may be left out. */
export const signatures: Readonly<Record<string, string>> = {
  addAccount: "key, options?",
  removeAccount: "key",
  priceOf: "request",
  "clock.advance": "ms",
  "clock.setTime": "ms",
  "faults.play": "fault, options?",
  "faults.remove": "id",
  "jobs.next": "outcome, options?",
  "jobs.removePlanned": "id",
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
};

/** Reads the arguments of a command: a JSON list of as many as its method takes. */
const readArguments = (command: string, text: string): readonly unknown[] => {
  const given = fromJson(text || "[]");
  const names = signatures[command]?.split(", ");
  const least = names?.filter((name) => !name.endsWith("?")).length ?? 0;
  if (!Array.isArray(given)) throw new TypeError("The arguments of a command are a JSON list");
  const fits = given.length >= least && given.length <= (names ?? given).length;
  if (!fits) throw new TypeError(`The list has ${given.length} arguments`);
  return given;
};

/** Runs the method that a request names, with the arguments in its body. */
export const answerCommand = async ({ req }: Context, owner: () => object): Promise<Response> => {
  // A page of another origin cannot send JSON without a preflight, and preflights are refused here.
  const isJson = req.header("content-type")?.startsWith("application/json");
  if (!isJson) return refuseCommand(415, "The content type of a command must be application/json");
  const command = req.param("command") ?? "";
  try {
    const data = run(owner(), command, readArguments(command, await req.text())) ?? null;
    return new Response(toJson(successEnvelope(data)), { headers: jsonHeaders });
  } catch (error) {
    // A failed assertion needs no signature.
    const names = error instanceof TypeError ? signatures[command] : undefined;
    const usage = names === undefined ? "" : `; the command is ${command}(${names})`;
    return refuseCommand(400, (error as Error).message + usage);
  }
};
