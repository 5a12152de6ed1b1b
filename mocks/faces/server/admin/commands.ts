/** The commands of the table as routes: each runs a method of the service, or of an account. */
import * as z from "zod/mini";
import { faultOptionsSchema, faultSchema } from "../../../faults/fault-schema.ts";
import { journalFilterSchema } from "../../../journal/filter.ts";
import { journalSearchSchema } from "../../../journal/search.ts";
import {
  accountOptionsSchema,
  creditsSchema,
  pricedSchema,
} from "../../../options/account-schema.ts";
import {
  apiKey,
  count,
  limit,
  listOfObjects,
  milliseconds,
  optional,
  shallowJson,
  text,
} from "../../../options/fields.ts";
import { isRecord, refusal, requireKnown } from "../../../options/require.ts";
import { jobSearchSchema } from "../../../outcomes/job-search.ts";
import { outcomeOptionsSchema, outcomeSchema } from "../../../outcomes/outcome.ts";
import type { MockAccount } from "../../../service/account.ts";
import {
  type Argument,
  type Command,
  fieldOf,
  ofAccount,
  ofService,
  pathOf,
} from "../../remote/commands.ts";
import { readEndless } from "../../remote/endless.ts";
import { type Asked, type Row, refuse, showTime } from "./row.ts";

/** Schemas of the arguments, for the help alone: the methods check what they are given. */
const schemas: Readonly<Record<Argument, z.ZodMiniType>> = {
  key: apiKey,
  "account.options": z.optional(accountOptionsSchema),
  credits: creditsSchema,
  request: pricedSchema,
  expected: listOfObjects,
  ms: milliseconds,
  time: z.number().check(z.describe("Milliseconds since 1970")),
  id: text,
  result: optional(shallowJson, "Any JSON; by default what a job of its action makes"),
  reason: optional(text, 'The error of the job; "Generation failed" by default'),
  outcome: outcomeSchema,
  "outcome.options": z.optional(outcomeOptionsSchema),
  "jobs.search": z.optional(jobSearchSchema),
  limit,
  outcomes: z.array(outcomeSchema),
  fault: faultSchema,
  faults: z.array(faultSchema),
  "fault.options": z.optional(faultOptionsSchema),
  filter: z.optional(
    z.extend(journalFilterSchema, {
      path: optional(text, "The whole path with its query"),
      pathPattern: optional(text, "A regular expression that the path contains"),
    }),
  ),
  count,
  "journal.search": journalSearchSchema,
};

/**
 * Reads a JSON body. An absent body counts as an empty object, and needs no content type. Other
 * types than JSON are refused, because a page of another origin can send them without a preflight.
 */
const readBody = async (request: Request): Promise<Record<string, unknown>> => {
  const sent = await request.text();
  if (sent === "") return {};
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw refuse(415, `content-type must be application/json; it is "${type}"`);
  }
  let body: unknown;
  try {
    body = JSON.parse(sent);
  } catch {
    throw refuse(400, "body must be valid JSON");
  }
  if (isRecord(body)) return body;
  throw refuse(400, "body must be a JSON object of the command's arguments");
};

/** JSON has no patterns: `pathPattern` holds the source of one. */
const readFilter = ({ pathPattern, ...filter }: Record<string, unknown>): object => {
  if (pathPattern === undefined) return filter;
  try {
    return { ...filter, path: new RegExp(String(pathPattern)) };
  } catch {
    throw refusal(
      "journal filter.pathPattern",
      `a regular expression; it is ${JSON.stringify(pathPattern)}`,
    );
  }
};

const readArgument = (argument: Argument, value: unknown): unknown => {
  // The plans of a list are read alike; a result is a user's own data.
  if (Array.isArray(value) && (argument === "faults" || argument === "outcomes")) {
    return value.map((each) => (isRecord(each) ? readEndless(each) : each));
  }
  if (!isRecord(value) || argument === "result") return value;
  return argument === "filter" ? readFilter(value) : readEndless(value);
};

const isAccount = (thing: object): thing is MockAccount => "assertCharges" in thing;

/** Shows what a method returns as JSON: what comparisons leave out is a field like any other. */
const showResult = (result: unknown): unknown => {
  if (Array.isArray(result)) return result.map(showResult);
  if (!isRecord(result)) return result ?? null;
  if (!isAccount(result))
    return "tookMs" in result
      ? { ...result, tookMs: result["tookMs"], headers: result["headers"] }
      : result;
  return { key: result.key, ...showTime(result.clock), credits: result.credits };
};

const rowOf = (
  isOfAccount: boolean,
  part: string,
  name: string,
  [summary, ...takes]: Command,
): Row => {
  const fields = takes.map(fieldOf);
  const command = pathOf(part, name);
  return {
    method: "POST",
    path: `/__mock/${isOfAccount ? "accounts/:key/" : ""}${command}`,
    summary,
    body: z.strictObject(
      Object.fromEntries(takes.map((argument) => [fieldOf(argument), schemas[argument]])),
    ),
    answer: async ({ service, request, path: { key = "" }, query }: Asked) => {
      // A choice of an account in the query would be passed over.
      const [unread] = Object.keys(query);
      if (unread !== undefined) {
        throw refuse(
          400,
          `${command} takes no query, and has "${unread}": put it into the JSON body`,
        );
      }
      const body = readEndless(await readBody(request));
      requireKnown(`arguments of ${command}`, fields, body);
      const given = takes.map((argument) => readArgument(argument, body[fieldOf(argument)]));
      const whole: object = isOfAccount ? service.account(key) : service;
      const owner = part === "" ? whole : Reflect.get(whole, part);
      const member: unknown = Reflect.get(owner, name);
      return showResult(typeof member === "function" ? member(...given) : member);
    },
  };
};

const rowsOf = (isOfAccount: boolean, parts: Readonly<Record<string, object>>): Row[] =>
  Object.entries(parts).flatMap(([part, commands]) =>
    Object.entries<Command>({ ...commands }).map(([name, command]) =>
      rowOf(isOfAccount, part, name, command),
    ),
  );

export const commandRows: readonly Row[] = [
  ...rowsOf(false, ofService),
  ...rowsOf(true, ofAccount),
];
