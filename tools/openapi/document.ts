import { type Endpoint, type EndpointName, endpoints } from "../../src/contract/endpoint.ts";
import { assumptions } from "./assumptions.ts";
import { answerExamples, type Examples, failureExamples, requestExamples } from "./examples.ts";
import { jobSchemas } from "./job-schemas.ts";
import { librarySchemas, successEnvelope } from "./library-schemas.ts";
import { type OperationDetail, operations } from "./operations.ts";
import { openObject, reference, type SchemaObject } from "./schema-object.ts";

const failures = {
  400: {
    name: "BadRequest",
    description:
      'Invalid parameters. For an unsupported action the message is "Invalid action. Supported: " and the nine actions.',
    "x-documented": "7. Errors",
    "x-assumed": ["A14", "A15"],
  },
  401: {
    name: "Unauthorized",
    description: "The API key is missing or invalid.",
    "x-documented": "5. Authentication",
    "x-assumed": "A15",
  },
  402: {
    name: "PaymentRequired",
    description: "Insufficient credits. Monthly ones are renewed each month (A19).",
    "x-documented": "7. Errors",
    "x-assumed": ["A13", "A15", "A19"],
  },
  404: {
    name: "NotFound",
    description: "There is no such thing, or it is somebody else's.",
    "x-documented": "7. Errors",
    "x-assumed": ["A15", "A16"],
  },
} as const;

const json = (schema: SchemaObject, examples: Examples = {}) => ({
  "application/json": {
    schema,
    ...(Object.keys(examples).length > 0 && { examples }),
  },
});

const header = (name: string) => ({ $ref: `#/components/headers/${name}` });
const everyAnswer = { "x-request-id": header("RequestId") };

const failureResponses = Object.fromEntries(
  Object.entries(failures).map(([status, { name, ...rest }]) => [
    name,
    {
      ...rest,
      headers: everyAnswer,
      content: json(
        reference("FailureEnvelope"),
        failureExamples[Number(status) as keyof typeof failureExamples],
      ),
    },
  ]),
);

const responses = {
  ...failureResponses,
  Unexpected: {
    description:
      "Any other failure: the API's document names none. 413, 429 with `Retry-After` and 5xx are to be expected of every service; a proxy in front of it may answer with something else than the envelope.",
    headers: { ...everyAnswer, "Retry-After": header("RetryAfter") },
    content: json(reference("FailureEnvelope")),
  },
};

/** The envelope of a success, and what in it is assumed. */
const answerSchema = ({ list }: Endpoint, { answer, answerOrigin }: OperationDetail) => {
  if (list === undefined) return successEnvelope(reference(answer, answerOrigin));
  const items: SchemaObject = {
    type: "array",
    items: reference(answer),
    description: "Newest first.",
    "x-assumed": "A4",
  };
  return successEnvelope(openObject({ [list]: items }, answerOrigin));
};

const parametersOf = ({ path, list }: Endpoint) => {
  const parameters = [
    ...(path.includes(":id") ? [{ $ref: "#/components/parameters/Id" }] : []),
    ...(list === undefined ? [] : [{ $ref: "#/components/parameters/Limit" }]),
  ];
  return parameters.length > 0 && { parameters };
};

const operationOf = (name: EndpointName, endpoint: Endpoint) => {
  const detail = operations[name];
  const { tag, summary, description, body, assumedStatus, retryAfter } = detail;
  return {
    operationId: name,
    tags: [tag],
    summary,
    ...(description && { description }),
    "x-documented": `4. Endpoints, ${tag}`,
    ...(endpoint.paid && { "x-costs-credits": true }),
    ...parametersOf(endpoint),
    ...(body && {
      requestBody: { required: true, content: json(reference(body), requestExamples(name)) },
    }),
    responses: {
      [endpoint.status]: {
        description: summary,
        ...(assumedStatus ? { "x-assumed": assumedStatus } : { "x-documented": "4. Endpoints" }),
        headers: { ...everyAnswer, ...(retryAfter && { "Retry-After": header("RetryAfter") }) },
        content: json(answerSchema(endpoint, detail), answerExamples(name, endpoint.status)),
      },
      ...Object.fromEntries(
        ([400, 401, 402, 404] as const)
          .filter((status) => status === 401 || detail.failures.includes(status))
          .map((status) => [status, { $ref: `#/components/responses/${failures[status].name}` }]),
      ),
      default: { $ref: "#/components/responses/Unexpected" },
    },
  };
};

const describePaths = () => {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    const operation = operationOf(name as EndpointName, endpoint);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation };
  }
  return paths;
};

/** The OpenAPI 3.1 document of the service as the mock plays it, made from the contract. */
export const generateOpenApi = (version: string): object => ({
  openapi: "3.1.0",
  info: {
    title: "Ad Generation Service API",
    version,
    summary: "The service as the contract of adgen-sdk has it, and as its mock answers.",
    description:
      "`x-documented` names the section of the API's document (v1) that says so. `x-assumed` names what adgen-sdk assumes where that document is silent; the texts are in `x-assumptions`. The service itself may differ there.",
    license: { name: "MIT", identifier: "MIT" },
    "x-assumptions": assumptions,
  },
  servers: [
    {
      url: "{base_url}",
      description: "The service, or the mock on this machine.",
      variables: { base_url: { default: "http://127.0.0.1:4010" } },
    },
  ],
  security: [{ apiKey: [] }],
  tags: [
    { name: "Jobs", description: "Generation work, done in the background." },
    { name: "Brands", description: "Whom the ads are for." },
    { name: "Saved ads", description: "The library of ads." },
  ],
  paths: describePaths(),
  components: {
    securitySchemes: {
      apiKey: {
        type: "http",
        scheme: "bearer",
        description: 'An API key. The mock\'s begin with "test-" unless it is told otherwise.',
        "x-documented": "5. Authentication",
        "x-assumed": "A12",
      },
    },
    parameters: {
      Id: {
        name: "id",
        in: "path",
        required: true,
        description: "The identifier of the job, the brand or the saved ad.",
        schema: { type: "string", minLength: 1 },
        "x-documented": "4. Endpoints",
      },
      Limit: {
        name: "limit",
        in: "query",
        description: "At most so many, the newest.",
        schema: { type: "integer", minimum: 1, maximum: 999_999_999 },
        "x-assumed": "A4",
      },
    },
    headers: {
      RequestId: {
        description: "Names the exchange. The mock sends it; no header is documented.",
        schema: { type: "string" },
      },
      RetryAfter: {
        description:
          "Seconds after which asking again is worth it. The mock sends it with unfinished jobs and with 429; no header is documented.",
        schema: { type: "integer", minimum: 0 },
      },
    },
    responses,
    schemas: { ...jobSchemas, ...librarySchemas },
  },
});
