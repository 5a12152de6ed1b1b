import * as z from "zod/mini";
import { apiKey, fieldsOnly, optional, wholeNumber } from "../../../options/fields.ts";
import { describeMisfit } from "../../../options/require.ts";
import { refuse } from "./refuse.ts";

/** Body of a route that needs none. */
export const noFields = fieldsOnly({}, "left out, or an empty object");

/** Query of a route for everything, or for what belongs to one account alone. */
export const ofOneAccount = fieldsOnly({
  account: optional(apiKey, "Only those for this API key alone; all by default"),
});

/** The same choice in a body. */
export const bodyOfOneAccount = fieldsOnly(ofOneAccount.shape, "left out, or an object of account");

/** Makes the schema of a whole number in a query or a path, where every value is text. */
export const wholeText = (most: number) => {
  const read = (value: unknown) => (/^\d+$/.test(String(value)) ? Number(value) : value);
  return z.pipe(z.transform(read), wholeNumber(0, most));
};

/** Schemas of the parts of a request that a route reads. */
export type InputSchemas = {
  /** Named parts of the path. */
  readonly path?: z.ZodMiniObject;
  readonly query?: z.ZodMiniObject;
  readonly body?: z.ZodMiniType;
};

/** Optional fields of JSON are there or left out. They are never `undefined`, as a schema's type has it. */
type Exact<Value> = Value extends object
  ? { [Key in keyof Value]: Exact<Exclude<Value[Key], undefined>> }
  : Value;

/** Parsed parts of a request. */
export type Input<Schemas extends InputSchemas> = Exact<z.output<z.ZodMiniObject<Schemas>>>;

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

/** Makes the function that reads and checks a request. It refuses the first wrong field. */
export const createInputReader = <Schemas extends InputSchemas>(schemas: Schemas | undefined) => {
  const whole = z.object(schemas ?? {});
  return async (
    request: Request,
    path: Readonly<Record<string, string>>,
  ): Promise<Input<Schemas>> => {
    const query = Object.fromEntries(new URL(request.url).searchParams);
    const hasBody = request.method === "POST" || request.method === "PUT";
    const input = { path, query, body: hasBody ? await readBody(request) : undefined };
    const { success, data } = whole.safeParse(input);
    // A query and JSON hold no `undefined`, so that the exact type is the true one.
    if (success) return data as Input<Schemas>;
    const misfit = describeMisfit("request", whole, input, "") ?? "The request does not fit";
    throw refuse(misfit.startsWith("path.") ? 404 : 400, misfit);
  };
};
