import { readFileSync } from "node:fs";
import { assumedMessages } from "../../mocks/domain/messages.ts";
import { unsupportedActionMessage } from "../../src/contract/actions.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { failureEnvelope } from "../../src/contract/envelope.ts";

/** Examples of a body in OpenAPI, by name. */
export type Examples = Record<string, { readonly summary: string; readonly value: unknown }>;

interface Recorded {
  readonly endpoint: EndpointName;
  readonly request: { readonly body?: object };
  readonly response: { readonly status: number; readonly body: unknown };
}

const exchanges: Readonly<Record<string, Recorded>> = JSON.parse(
  readFileSync(new URL("recorded.json", import.meta.url), "utf8"),
);

const recorded = Object.entries(exchanges).map(([key, exchange]) => {
  const summary = key.replaceAll("-", " ");
  const name = summary.replace(/ (.)/g, (_, first: string) => first.toUpperCase());
  return { name, summary, exchange };
});

const collect = (
  fits: (exchange: Recorded) => boolean,
  bodyOf: (exchange: Recorded) => unknown,
): Examples =>
  Object.fromEntries(
    recorded
      .filter(({ exchange }) => fits(exchange))
      .map(({ name, summary, exchange }) => [name, { summary, value: bodyOf(exchange) }]),
  );

/** Collects the bodies that an endpoint accepts. */
export const requestExamples = (endpoint: EndpointName): Examples =>
  collect(
    ({ endpoint: name, request, response }) =>
      name === endpoint && request.body !== undefined && response.status < 400,
    ({ request }) => request.body,
  );

/** Collects the bodies that an endpoint answers with a status. */
export const answerExamples = (endpoint: EndpointName, status: number): Examples =>
  collect(
    ({ endpoint: name, response }) => name === endpoint && response.status === status,
    ({ response }) => response.body,
  );

const example = (summary: string, error: string) => ({ summary, value: failureEnvelope(error) });

/** Failures by status. Their words are the mock's, except the one for an unsupported action. */
export const failuresByStatus = {
  400: {
    name: "BadRequest",
    description:
      'Invalid parameters. For an unsupported action the message is "Invalid action. Supported: " and the nine actions.',
    "x-documented": "7. Errors",
    "x-assumed": ["A14", "A15", "A22"],
    examples: {
      unsupportedAction: example("the documented message", unsupportedActionMessage()),
      invalidParameter: example(
        "an invalid parameter",
        assumedMessages.invalidParameter("variations", "expected an integer from 1 to 10"),
      ),
      bodyNotJson: example("a body that is no JSON", assumedMessages.bodyNotJson),
    },
  },
  401: {
    name: "Unauthorized",
    description: "The API key is missing or invalid.",
    "x-documented": "5. Authentication",
    "x-assumed": ["A15", "A20"],
    examples: { unauthorized: example("no key, or a wrong one", assumedMessages.unauthorized) },
  },
  402: {
    name: "PaymentRequired",
    description: "Insufficient credits. Monthly ones are renewed each month (A19).",
    "x-documented": "7. Errors",
    "x-assumed": ["A13", "A15", "A19"],
    examples: {
      insufficientCredits: example("too few credits", assumedMessages.insufficientCredits),
    },
  },
  404: {
    name: "NotFound",
    description: "There is no such thing, or it belongs to another account.",
    "x-documented": "7. Errors",
    "x-assumed": ["A15", "A16"],
    examples: {
      jobNotFound: example("no such job", assumedMessages.jobNotFound),
      brandNotFound: example("no such brand", assumedMessages.brandNotFound),
      savedAdNotFound: example("no such saved ad", assumedMessages.savedAdNotFound),
    },
  },
} as const;
