import { createDocument, type ZodOpenApiPathsObject } from "zod-openapi";

import { type EndpointName, endpoints } from "../../src/contract/endpoint.ts";
import { assumptions } from "./assumptions.ts";
import { describeOperation, failureResponses, operationTags } from "./describe-operation.ts";
import { writeOpenness } from "./open-schemas.ts";

const describePaths = (): ZodOpenApiPathsObject => {
  const paths: ZodOpenApiPathsObject = {};
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const path = endpoint.path.replace(/:(\w+)/g, "{$1}");
    const operation = describeOperation(name as EndpointName);
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation };
  }
  return paths;
};

const components = {
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
      "x-assumed": "A21",
    },
    Limit: {
      name: "limit",
      in: "query",
      description: "At most so many, the newest. Without it, jobs are 100 at most.",
      schema: { type: "integer", minimum: 1, maximum: 999_999_999 },
      "x-assumed": "A4",
    },
  },
  headers: {
    RequestId: {
      description: "Names the exchange. The mock sends it; no header is documented.",
      schema: { type: "string" },
      "x-assumed": "A23",
    },
    RetryAfter: {
      description:
        "Seconds after which asking again is worth it. The mock sends it with submitted jobs, with unfinished ones and with 429; no header is documented.",
      schema: { type: "integer", minimum: 0 },
      "x-assumed": "A23",
    },
    WwwAuthenticate: {
      description: "The scheme of the key, as HTTP asks for with a 401.",
      schema: { type: "string", const: "Bearer" },
      "x-assumed": "A20",
    },
  },
  responses: failureResponses,
} as const;

/** Corrects what zod writes for a schema. */
const override: typeof writeOpenness = (context) => {
  // zod sets this limit for every integer.
  if (context.jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete context.jsonSchema.maximum;
  writeOpenness(context);
};

/** Address of a mock that was started without options. */
const mockUrl = `http://127.0.0.1:4471`;

/** Describes the service as the mock plays it, in OpenAPI 3.1, made from the contract. */
export const generateOpenApi = (version: string): object =>
  createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Ad Generation Service API",
        version,
        summary: "The service as the contract of adgen-sdk has it, and as its mock answers.",
        description:
          "`x-documented` names the section of the API's document (v1) that says so. `x-assumed` names what adgen-sdk assumes where that document is silent; the texts are in `x-assumptions`. The service itself may differ there.",
        license: { name: "MIT", identifier: "MIT" },
        "x-assumptions": Object.fromEntries(
          Object.entries(assumptions).map(([number, { assumed }]) => [number, assumed]),
        ),
      },
      servers: [
        {
          url: mockUrl,
          description: "The mock on this machine. The API's document names no address.",
        },
      ],
      security: [{ apiKey: [] }],
      tags: Object.values(operationTags),
      paths: describePaths(),
      components,
    },
    { override },
  );
