import { HTTPException } from "hono/http-exception";
import * as z from "zod/mini";
import { isDeliberate } from "../../../options/deliberate.ts";
import { apiKey, fieldsOnly, optional, text } from "../../../options/fields.ts";
import { describeMisfit } from "../../../options/require.ts";
import type { MockAccount } from "../../../service/account.ts";
import type { MockService } from "../../../service/mock-service.ts";

/** Makes an error that the admin answers with this status and message. */
export const refuse = (status: 400 | 404 | 409 | 415, message: string): HTTPException =>
  new HTTPException(status, { message });

/** Returns what was found, or answers 404. */
export const found = <Thing>(thing: Thing | undefined | false, missing: string): Thing => {
  if (thing === undefined || thing === false) throw refuse(404, missing);
  return thing;
};

/**
 * Tells the status of an error. For a value that makes no sense, the service throws a `TypeError` or
 * a `RangeError`. Any other `Error` is about its state: a conflict, or an assertion that fails.
 *
 * @throws the error itself when it is a mistake of the mock, which the server tells
 */
export const statusOf = (error: Error): number => {
  if (error instanceof HTTPException) return error.status;
  if (!isDeliberate(error)) throw error;
  return error instanceof TypeError || error instanceof RangeError ? 400 : 409;
};

/** A request to a server's admin. */
interface Asked {
  readonly service: MockService;
  /** Reads what goes wrong in the server at this moment, in words. */
  readonly problems: () => readonly string[];
  readonly request: Request;
}

/** Schemas of the parts of a request that a route reads. */
type InputSchemas = {
  /** Named parts of the path. */
  readonly path?: z.ZodMiniObject;
  readonly query?: z.ZodMiniObject;
  /** The JSON body of a POST or a PUT. @default an empty one */
  readonly body?: z.ZodMiniType;
};

/** Optional fields of JSON are there or left out. They are never `undefined`, as a schema's type has it. */
type Exact<Value> = Value extends object
  ? { [Key in keyof Value]: Exact<Exclude<Value[Key], undefined>> }
  : Value;

/** Parsed parts of a request. */
export type Input<Schemas extends InputSchemas> = Exact<z.output<z.ZodMiniObject<Schemas>>>;

/** The account that a path names by its `key`; the one of `account` in a query or a body, or all. */
type ScopeOf<Schemas extends InputSchemas> = Schemas extends { readonly path: typeof ofAccount }
  ? MockAccount
  : MockService | MockAccount;

/** A request as the work of a row gets it. */
export type Call<Schemas extends InputSchemas = Record<never, never>> = Asked &
  Input<Schemas> & { readonly scope: ScopeOf<Schemas> };

/** One route, as the router and the help read it. Its place and its summary are in `places`. */
export interface AdminRoute<Answer = unknown> {
  readonly input: InputSchemas;
  /** Checks the request by the row's schemas, and does the work. */
  readonly answer: (
    asked: Asked,
    path: Readonly<Record<string, string>>,
  ) => Promise<Answer | Response>;
}

/** Headers of every answer in JSON. */
export const jsonHeaders = { "cache-control": "no-store", "x-content-type-options": "nosniff" };

/** Path of a route about one account. */
export const ofAccount = z.object({ key: text.check(z.describe("API key of the account.")) });

/** Makes the schema of the path of a route about one thing. */
export const idOf = (thing: string) =>
  z.object({ id: text.check(z.describe(`Identifier of the ${thing}.`)) });

const choiceOfAccount = {
  account: optional(apiKey, "Only those for this API key alone; all by default"),
};

/** Query of a route for everything, or for what belongs to one account alone. */
export const ofOneAccount = fieldsOnly(choiceOfAccount);

/** The same choice in a body. */
export const bodyOfOneAccount = fieldsOnly(choiceOfAccount, "left out, or an object of account");

const noFields = fieldsOnly({}, "left out, or an empty object");

const readText = (text: unknown): unknown => {
  if (text === "false" || text === "true") return text === "true";
  return /^\d+$/.test(String(text)) ? Number(text) : text;
};

/** Makes the schema of a number, `true` or `false` in a query or a path, where every value is text. */
export const fromText = <Field extends z.ZodMiniType>(field: Field) =>
  z.pipe(z.transform(readText), field);

/**
 * Reads a JSON body. An absent body counts as an empty object, and needs no content type. Other
 * types than JSON are refused, because a page of another origin can send them without a preflight.
 */
const readBody = async (request: Request): Promise<unknown> => {
  const text = await request.text();
  if (text === "") return {};
  const type = request.headers.get("content-type") ?? "";
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw refuse(415, `content-type must be application/json; it is "${type}"`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(400, "body must be valid JSON");
  }
};

const findAccount = ({ accounts }: MockService, key: unknown): MockAccount | undefined =>
  accounts.find((account) => account.key === key);

/** Finds the account of a key in a query or a body, or answers 400. */
export const requireAccount = (service: MockService, key: unknown): MockAccount => {
  const account = findAccount(service, key);
  if (account !== undefined) return account;
  throw refuse(400, `account must be the key of an account; it is "${key}"`);
};

/**
 * Makes a route.
 *
 * @param input - Schemas of the path's parts, the query and the JSON body
 * @param run - Does the work. A `Response` is sent as it is, anything else as the `data` of an
 *   envelope. Its types follow from the schemas.
 */
export const defineRoute = <Answer, const Schemas extends InputSchemas>(
  input: Schemas,
  run: (call: Call<Schemas>) => Answer | Response,
): AdminRoute<Answer> => {
  const schemas: InputSchemas = input;
  const schema = z.object({ body: z.optional(noFields), ...schemas });
  return {
    input,
    answer: async (asked, path) => {
      const { request, service } = asked;
      const query = Object.fromEntries(new URL(request.url).searchParams);
      const hasBody = request.method === "POST" || request.method === "PUT";
      const sent = { path, query, body: hasBody ? await readBody(request) : undefined };
      const { success, data } = schema.safeParse(sent);
      if (!success) {
        const misfit = describeMisfit("request", schema, sent, "") ?? "The request does not fit";
        throw refuse(misfit.startsWith("path.") ? 404 : 400, misfit);
      }
      const { account } = { ...Object(data.query), ...Object(data.body) };
      const scope =
        path["key"] !== undefined
          ? found(findAccount(service, path["key"]), `No account has the key "${path["key"]}"`)
          : account === undefined
            ? service
            : requireAccount(service, account);
      // A query and JSON hold no `undefined`, and the path is the one of the row.
      return run({ ...asked, ...data, scope } as unknown as Call<Schemas>);
    },
  };
};
