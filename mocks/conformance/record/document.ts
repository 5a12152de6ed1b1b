import { fromJSONSchema, type ZodType } from "zod";
import { serviceDocument } from "../../faces/server/admin/documents.ts";
import type { Match } from "../../http/match.ts";

type JsonSchema = Exclude<Parameters<typeof fromJSONSchema>[0], boolean>;

interface Described {
  readonly $ref?: string;
  readonly content?: Readonly<Record<string, { readonly schema: JsonSchema }>>;
}

interface OpenApi {
  readonly paths: Readonly<
    Record<
      string,
      Readonly<Record<string, { readonly responses: Readonly<Record<string, Described>> }>>
    >
  >;
  readonly components: {
    readonly schemas: Record<string, JsonSchema>;
    readonly responses: Readonly<Record<string, Described>>;
  };
}

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
  /** Issues of each way in which a union could have held. */
  readonly errors?: readonly (readonly Issue[])[];
}

/** Finds the issue that lies deepest: of a union, in the way that came nearest. */
const deepest = ({ path, message, errors = [] }: Issue): Issue => {
  const within = errors
    .flatMap((issues) => issues.map(deepest))
    .sort((one, other) => other.path.length - one.path.length)[0];
  return within ? { ...within, path: [...path, ...within.path] } : { path, message };
};

/**
 * Makes the comparison of answers with `openapi.json`. It describes the first difference of an
 * answer in words.
 */
export const createDocumentCheck = () => {
  // The reader of JSON schemas looks up references in `$defs` alone.
  const { paths, components }: OpenApi = JSON.parse(
    serviceDocument.replaceAll('"#/components/schemas/', '"#/$defs/'),
  );
  const schemas = new Map<string, ZodType>();

  const schemaOf = ({ $ref, content }: Described): ZodType | undefined => {
    const described = $ref ? components.responses[$ref.split("/").at(-1) ?? ""] : { content };
    const schema = described?.content?.["application/json"]?.schema;
    if (schema === undefined) return undefined;
    const name = JSON.stringify(schema);
    const known = schemas.get(name) ?? fromJSONSchema({ ...schema, $defs: components.schemas });
    schemas.set(name, known);
    return known;
  };

  return ({ endpoint }: Match, status: number, body: unknown): string | undefined => {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    const call = `${endpoint.method} ${path} ${status}`;
    const described = paths[path]?.[endpoint.method.toLowerCase()]?.responses[status];
    if (described === undefined) return `${call}: no such status is described`;
    const result = schemaOf(described)?.safeParse(body);
    const [issue] = result?.error?.issues ?? [];
    if (issue === undefined) return undefined;
    const { path: place, message } = deepest(issue as Issue);
    return `${call}: /${place.map((step) => (typeof step === "number" ? "*" : String(step))).join("/")}: ${message}`;
  };
};
