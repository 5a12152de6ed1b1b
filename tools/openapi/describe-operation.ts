import * as z from "zod";
import type { ZodOpenApiOperationObject } from "zod-openapi";
import {
  type Endpoint,
  type EndpointName,
  endpoints,
  type ResourceKind,
} from "../../src/contract/endpoint.ts";
import { answerExamples, type Examples, failuresByStatus, requestExamples } from "./examples.ts";
import { failureSchema } from "./library-schemas.ts";
import { operations } from "./operations.ts";

/** Tags of the operations, by kind of resource. */
export const operationTags: Readonly<
  Record<ResourceKind, { readonly name: string; readonly description: string }>
> = {
  job: { name: "Jobs", description: "Generation work, done in the background." },
  brand: { name: "Brands", description: "Whom the ads are for." },
  ad: { name: "Saved ads", description: "The library of ads." },
};

const json = (schema: z.ZodType, examples: Examples = {}) => ({
  "application/json": { schema, ...(Object.keys(examples).length > 0 && { examples }) },
});

const component = (kind: "headers" | "parameters" | "responses", name: string) => ({
  $ref: `#/components/${kind}/${name}`,
});

const headersOf = (mayRetry: boolean | undefined) => ({
  "x-request-id": component("headers", "RequestId"),
  ...(mayRetry && { "Retry-After": component("headers", "RetryAfter") }),
});

/** Failures as components of the document. */
export const failureResponses = {
  ...Object.fromEntries(
    Object.values(failuresByStatus).map(({ name, examples, ...facts }) => [
      name,
      {
        ...facts,
        headers: {
          ...headersOf(false),
          ...(name === "Unauthorized" && {
            "WWW-Authenticate": component("headers", "WwwAuthenticate"),
          }),
        },
        content: json(failureSchema, examples),
      },
    ]),
  ),
  Unexpected: {
    description:
      "Any other failure: the API's document names none. 405 with `Allow` for another method (A21), 413, 429 with `Retry-After` and 5xx are to be expected of every service; a proxy in front of it may answer with something else than the envelope.",
    headers: headersOf(true),
    content: json(failureSchema),
  },
};

const idOf = (schema: z.ZodType): string => schema.meta()?.id ?? "";

const made = new Map<string, z.ZodType>();

/** Makes a schema once and shares it, because a document may have only one schema of a name. */
const once = (id: string, make: () => z.ZodType): z.ZodType => {
  const schema = made.get(id) ?? make().meta({ id });
  made.set(id, schema);
  return schema;
};

const listOf = (list: string, item: z.ZodType): z.ZodType =>
  once(`${idOf(item)}List`, () => {
    const items = z.array(item).meta({ description: "Newest first.", "x-assumed": "A4" });
    return z.object({ [list]: items }).meta({ description: "A list.", "x-assumed": "A4" });
  });

/** Describes the envelope around the data of a success. */
const envelopeOf = (data: z.ZodType): z.ZodType =>
  once(`${idOf(data)}Envelope`, () =>
    z.looseObject({ success: z.literal(true), data, error: z.null() }).meta({
      description: "What every success is wrapped in.",
      "x-documented": "2. Response envelope",
    }),
  );

const dataOf = ({ list }: Endpoint, answer: z.ZodType): z.ZodType =>
  list === undefined ? answer : listOf(list, answer);

const tagOf = ({ names, creates, lists }: Endpoint): string =>
  operationTags[names ?? creates ?? lists].name;

/** Describes the operation of an endpoint. */
export const describeOperation = (name: EndpointName): ZodOpenApiOperationObject => {
  const endpoint: Endpoint = endpoints[name];
  const detail = operations[name];
  const tag = tagOf(endpoint);
  const parameters = [
    ...(endpoint.names ? [component("parameters", "Id")] : []),
    ...(endpoint.list === undefined ? [] : [component("parameters", "Limit")]),
  ];
  return {
    operationId: name,
    tags: [tag],
    summary: detail.summary,
    description: detail.description,
    "x-documented": `4. Endpoints, ${tag}`,
    ...(detail.assumed && { "x-assumed": detail.assumed }),
    ...(endpoint.paid && { "x-costs-credits": true }),
    ...(parameters.length > 0 && { parameters }),
    ...(detail.body && {
      requestBody: { required: true, content: json(detail.body, requestExamples(name)) },
    }),
    responses: {
      [`${endpoint.status}`]: {
        description: detail.summary,
        ...(detail.assumedStatus
          ? { "x-assumed": detail.assumedStatus }
          : { "x-documented": "4. Endpoints" }),
        headers: headersOf(detail.retryAfter),
        content: json(
          envelopeOf(dataOf(endpoint, detail.answer)),
          answerExamples(name, endpoint.status),
        ),
      },
      ...Object.fromEntries(
        ([400, 401, 402, 404] as const)
          .filter((status) => status === 401 || detail.failures.includes(status))
          .map((status) => [status, component("responses", failuresByStatus[status].name)]),
      ),
      default: component("responses", "Unexpected"),
    },
  };
};
