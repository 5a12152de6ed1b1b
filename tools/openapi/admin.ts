import * as z from "zod/mini";
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from "zod-openapi";
import * as answers from "../../mocks/faces/server/admin/answers.ts";
import type { AdminRoute } from "../../mocks/faces/server/admin/route.ts";
import { routes } from "../../mocks/faces/server/admin/routes.ts";
import { defaultPort } from "../../mocks/faces/server/server-options.ts";
import { faultSchema } from "../../mocks/faults/fault-schema.ts";

/** Envelope of every failure. */
const failure = z.object({
  success: z.literal(false),
  data: z.null(),
  error: z.string().check(z.describe("The field, its value, and what is expected instead.")),
});

const envelope = (data: z.ZodMiniType) =>
  z.object({ success: z.literal(true), data, error: z.null() });

const json = (schema: z.ZodMiniType) => ({ content: { "application/json": { schema } } });

/** Statuses that follow from the parts of a request that a route reads. */
const refusalsOf = ({ input: { path, query, body } }: AdminRoute) => ({
  ...((query ?? body) && { 400: "A field is missing, unknown or wrong." }),
  ...(path && { 404: "The path names a thing that is not there." }),
  ...(body && { 415: "The body is not of the type application/json." }),
});

const describeAnswer = (status: string, description: string) => ({
  description,
  ...(Number(status) >= 400 && json(failure)),
});

/** Bytes have no schema in OpenAPI 3.1. */
const filesOf = (mediaTypes: readonly string[]) =>
  Object.fromEntries(mediaTypes.map((mediaType) => [mediaType, {}]));

const operationOf = (route: AdminRoute): ZodOpenApiOperationObject => {
  const { id, summary, input, answer, otherAnswers, mediaType, otherMediaTypes = [] } = route;
  const { path, query, body } = input;
  const others = Object.entries({ ...otherAnswers, ...refusalsOf(route) });
  return {
    operationId: id,
    summary,
    requestParams: { ...(path && { path }), ...(query && { query }) },
    ...(body && { requestBody: { ...json(body), required: !body.safeParse({}).success } }),
    responses: {
      200: {
        description: summary,
        ...(mediaType
          ? { content: { [mediaType]: { schema: answer }, ...filesOf(otherMediaTypes) } }
          : json(envelope(answer))),
      },
      ...Object.fromEntries(
        others.map(([status, reason]) => [status, describeAnswer(status, reason)]),
      ),
      default: {
        description: "Another failure, such as 403 for the page of another origin.",
        ...json(failure),
      },
    },
  };
};

const describePaths = (): ZodOpenApiPathsObject => {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return paths;
};

/** Makes the OpenAPI 3.1 document of the mock server's admin, from the admin's table of routes. */
export const generateAdminOpenApi = (version: string): object =>
  createDocument(
    {
      openapi: "3.1.0",
      info: {
        title: "Ad Generation Service mock: admin",
        version,
        summary: "Steers and shows the mock server of adgen-sdk.",
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [
        {
          url: "{mock_url}",
          description: "The mock on this machine.",
          variables: { mock_url: { default: `http://127.0.0.1:${defaultPort}` } },
        },
      ],
      paths: describePaths(),
      components: {
        schemas: {
          Account: answers.accountSummary,
          AccountDetail: answers.accountDetail,
          Job: answers.job,
          Fault: faultSchema,
          PlannedFault: answers.plannedFault,
          JournalEntry: answers.journalEntry,
          Failure: failure,
        },
      },
    },
    {
      // Later versions may answer more: clients have to pass over fields that they do not know.
      override: ({ jsonSchema, zodSchema, io }) => {
        const { def } = zodSchema._zod;
        const isOpen = io === "output" && def.type === "object" && def.catchall === undefined;
        if (isOpen) delete jsonSchema.additionalProperties;
      },
    },
  );
