import fc from "fast-check";
import { keysOf } from "../../mocks/options/require.ts";
import { actions } from "../../src/contract/actions.ts";
import { requestBodies } from "../../src/contract/bodies.ts";
import { type Endpoint, type EndpointName, endpoints } from "../../src/contract/endpoint.ts";
import type { Question } from "./conversation.ts";

/*
 * Requests of every kind: those that the OpenAPI document asks for, those that miss it by a
 * little, and anything.
 */

/** Part of OpenAPI's schema object (JSON Schema 2020-12) that requests are made of. */
interface SchemaObject {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

type Schemas = Readonly<Record<string, SchemaObject>>;

/** Makes an arbitrary come up more often than others. */
const often = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>) => ({ weight, arbitrary });

const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constantFrom("", "Lemonade"));

/** Names that every object has, and names that mean something. */
const names = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "id", "error", "data", "status"),
  fc.constantFrom("action", "prompt", "images", "variations", "duration", "brand_id", "name"),
  fc.string(),
);

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(0, -1, 1.5, 1e21, -0, 5e-324, null, true, "", "1", [], {}, "queued"),
  fc.constantFrom<unknown>(...actions),
);

const numbers = ({ type, minimum, maximum, exclusiveMinimum }: SchemaObject) => {
  const [min, max] = [minimum ?? exclusiveMinimum, maximum] as (number | undefined)[];
  const limits = {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
  if (type === "integer") return fc.integer(limits);
  return fc
    .double({ ...limits, minExcluded: exclusiveMinimum !== undefined, noNaN: true })
    .filter(Number.isFinite);
};

/** Creates values that a schema of the document allows; `known` are ids that may exist. */
export const arbitraryOf = (
  schema: SchemaObject,
  schemas: Schemas,
  known: fc.Arbitrary<string>,
): fc.Arbitrary<unknown> => {
  const { $ref, type, properties = {}, required = [] } = schema;
  const inner = (part: unknown) => arbitraryOf(part as SchemaObject, schemas, known);
  if ($ref !== undefined) return inner(schemas[$ref.split("/").at(-1) ?? ""]);
  if (Array.isArray(schema["oneOf"])) return fc.oneof(...schema["oneOf"].map(inner));
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...schema["enum"]);
  if (type === "integer" || type === "number") return numbers(schema);
  if (type === "string") return fc.oneof(text, known);
  if (type === "array") return fc.array(inner(schema["items"]), { maxLength: 3 });
  if (type !== "object") return anything;
  const fields = Object.entries(properties).map(
    ([name, part]) => [name, /_id$/.test(name) ? known : inner(part)] as const,
  );
  const named = fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
  // Objects are open, so a field that isn't named may be anything.
  const more = fc.dictionary(
    names.filter((name) => !(name in properties) && name !== "__proto__"),
    anything,
    { maxKeys: 3 },
  );
  return fc.tuple(more, named).map(([extra, own]) => ({ ...extra, ...own }));
};

/** Changes a body in one place, which mostly makes it wrong. */
const mutated = (body: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(body, names, anything, fc.nat(6)).map(([value, name, other, way]) => {
    const entries = Object.entries(value as object);
    if (way === 0) return [value];
    if (way === 1) return Object.fromEntries(entries.slice(1));
    if (way === 2) return Object.fromEntries(entries.map(([key, item]) => [key, [item]]));
    if (way === 3) return Object.fromEntries(entries.map(([key, item]) => [key, String(item)]));
    // JSON makes an own field of every name, even of "__proto__".
    return JSON.parse(
      `${JSON.stringify(value).slice(0, -1)}${entries.length ? "," : ""}${JSON.stringify(name)}:${JSON.stringify(other)}}`,
    );
  });

export interface Bodies {
  /** Allowed by the document. */
  readonly allowed: fc.Arbitrary<unknown>;
  /** Allowed, nearly allowed, or anything. */
  readonly any: fc.Arbitrary<unknown>;
}

/** Creates bodies for every endpoint that takes one. */
export const bodiesOf = (
  document: object,
  known: fc.Arbitrary<string>,
): ReadonlyMap<EndpointName, Bodies> => {
  // biome-ignore lint/suspicious/noExplicitAny: the document is walked as whoever reads it would
  const { paths, components } = document as any;
  const found = new Map<EndpointName, Bodies>();
  for (const name of keysOf(endpoints).filter((name) => requestBodies[name] !== undefined)) {
    const { method, path }: Endpoint = endpoints[name];
    const operation = paths[path.replace(":id", "{id}")][method.toLowerCase()];
    const { schema } = operation.requestBody.content["application/json"];
    const allowed = arbitraryOf(schema, components.schemas, known);
    const any = fc.oneof(often(3, mutated(allowed)), often(3, allowed), anything);
    found.set(name, { allowed, any });
  }
  return found;
};

const limits = ["", "=1", "=0", "=-1", "=%zz", "[]=1", "=1&limit=x", "=1000000000", "=1e3"];

const query = fc.oneof(
  often(3, fc.constant("")),
  fc.constantFrom("?", "?&&==", ...limits.map((value) => `?limit${value}`)),
  fc.string({ maxLength: 8 }).map((value) => `?limit=${encodeURIComponent(value)}`),
);

/** Changes a path by about one character. */
const nearMiss = (path: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.nat(path.length),
      fc.nat(5),
      fc.constantFrom(...["/", ".", "%2F", "%", "x"], ...[";", "//", ":", "%00"]),
    )
    .map(([place, way, other]) => {
      const [before, after] = [path.slice(0, place), path.slice(place)];
      if (way === 0) return before + other + after;
      if (way === 1) return before + after.slice(1);
      if (way === 2) return before + after.toUpperCase();
      if (way === 3) return `${path}/`;
      if (way === 4) return path.replace("/v1", other === "x" ? "/v2" : "");
      return before + after.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);
    })
    // The result must still be a path.
    .map((missed) =>
      missed.startsWith("/") && !missed.startsWith("//")
        ? missed
        : `/${missed.replace(/^\/+/, "")}`,
    );

const segment = fc.oneof(
  fc.constantFrom("v1", "jobs", "brands", "saved-ads", "ads", "", ".", "..", "%zz", "__proto__"),
  fc.string({ maxLength: 20, unit: "grapheme" }).map((name) => encodeURIComponent(name)),
);

const method = fc.oneof(
  fc.constantFrom("GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS", "QUERY", "get"),
  fc.stringMatching(/^[A-Z]{1,8}$/).filter((name) => !/^(CONNECT|TRACE|TRACK)$/.test(name)),
);

const authorizations = (keys: readonly string[]): fc.Arbitrary<string | undefined> => {
  const write = (form: fc.Arbitrary<string>): fc.Arbitrary<string> =>
    fc.tuple(form, fc.constantFrom(...keys)).map(([text, key]) => text.replace("KEY", key));
  return fc.oneof(
    often(50, write(fc.constant("Bearer KEY"))),
    often(
      5,
      write(fc.constantFrom("bearer KEY", "KEY", "Bearer  KEY", "Bearer KEYx", "Basic KEY")),
    ),
    fc.constantFrom(undefined, "", "Bearer", "Bearer a, b"),
    fc.constantFrom("Bearer __proto__", "Bearer constructor"),
    fc.stringMatching(/^[ -~]{0,20}$/),
  );
};

const oddHeaders = fc.dictionary(
  fc.constantFrom(
    ...["content-type", "accept", "content-encoding", "x-http-method-override", "x-real-ip"],
  ),
  fc.constantFrom(
    ...["text/html", "application/json", "gzip", "DELETE", "multipart/form-data", "*/*", ""],
  ),
  { maxKeys: 2 },
);

const odd = ["", "{", "{}", "[]", "null", "NaN", "\ufeff{}", "[".repeat(5_000)];
const oddTexts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(...odd, '{"__proto__":{"action":"copy-ad"}}'),
);

/** Creates requests of every kind, most of them similar to one of the document. */
export const requestsOf = (
  document: object,
  known: fc.Arbitrary<string>,
  keys: readonly string[],
): fc.Arbitrary<Question> => {
  const ofEndpoint = bodiesOf(document, known);
  // A submission has the most ways to be wrong or right.
  const endpoint = fc.oneof(
    often(2, fc.constant<EndpointName>("jobs.submit")),
    often(3, fc.constantFrom(...keysOf(endpoints))),
  );
  const call = endpoint.chain((name) => {
    const { method, path } = endpoints[name];
    return fc.record({
      method: fc.constant<string>(method),
      path: known.map((id) => path.replace(":id", () => encodeURIComponent(id))),
      body: (ofEndpoint.get(name)?.any ?? anything).map((value) => JSON.stringify(value)),
    });
  });
  const ownPath = call.map(({ path }) => path);
  const anyPath = fc.array(segment, { maxLength: 6 }).map((parts) => `/${parts.join("/")}`);
  const anyJson = anything.map((value) => JSON.stringify(value));
  const anyCall = fc.record({
    method,
    path: fc.oneof(ownPath.chain(nearMiss), ownPath, anyPath),
    body: fc.oneof(anyJson, oddTexts),
  });
  const broken = fc
    .tuple(call, oddTexts, fc.nat(40))
    .map(([asked, odd, end]) => ({ ...asked, body: end % 2 ? odd : asked.body.slice(0, end) }));
  return fc
    .record({
      asked: fc.oneof(often(6, call), broken, often(2, anyCall)),
      query,
      authorization: authorizations(keys),
      headers: fc.oneof(often(3, fc.constant({})), oddHeaders),
    })
    .map(({ asked, query, authorization, headers }) => ({
      method: asked.method,
      path: asked.path + query,
      headers: { ...headers, ...(authorization !== undefined && { authorization }) },
      ...(!/^(get|head)$/i.test(asked.method) && { body: asked.body }),
    }));
};
