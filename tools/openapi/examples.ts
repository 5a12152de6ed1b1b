import { readdirSync, readFileSync } from "node:fs";
import { assumedMessages } from "../../mocks/domain/messages.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { failureEnvelope } from "../../src/contract/envelope.ts";
import { unsupportedActionMessage } from "../../src/contract/supported-actions.ts";

interface Example {
  readonly summary: string;
  readonly value: unknown;
}

/** OpenAPI's `examples`, by name. */
export type Examples = Readonly<Record<string, Example>>;

interface Recorded {
  readonly endpoint: EndpointName;
  readonly request: { readonly body?: object };
  readonly response: { readonly status: number; readonly body: unknown };
}

const folder = new URL("../../test/fixtures/", import.meta.url);

const recorded = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .sort()
  .map((file) => {
    const words = file.replace(".json", "").split("-");
    const name = words
      .map((word, place) =>
        place === 0 ? word : word.replace(/^./, (first) => first.toUpperCase()),
      )
      .join("");
    const exchange: Recorded = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
    return { name, summary: words.join(" "), exchange };
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

/** Bodies that were sent and taken. */
export const requestExamples = (endpoint: EndpointName): Examples =>
  collect(
    ({ endpoint: name, request, response }) =>
      name === endpoint && request.body !== undefined && response.status < 400,
    ({ request }) => request.body,
  );

/** Bodies that were answered. */
export const answerExamples = (endpoint: EndpointName, status: number): Examples =>
  collect(
    ({ endpoint: name, response }) => name === endpoint && response.status === status,
    ({ response }) => response.body,
  );

const failure = (summary: string, error: string): Example => ({
  summary,
  value: failureEnvelope(error),
});

/** Failures by status; the words are the mock's, that for an unsupported action excepted. */
export const failureExamples: Readonly<Record<400 | 401 | 402 | 404, Examples>> = {
  400: {
    unsupportedAction: failure("the documented message", unsupportedActionMessage()),
    invalidParameter: failure(
      "an invalid parameter",
      assumedMessages.invalidParameter("variations", "expected an integer from 1 to 10"),
    ),
    bodyNotJson: failure("a body that is no JSON", assumedMessages.bodyNotJson),
  },
  401: { unauthorized: failure("no key, or a wrong one", assumedMessages.unauthorized) },
  402: {
    insufficientCredits: failure("too few credits", assumedMessages.insufficientCredits),
  },
  404: {
    jobNotFound: failure("no such job", assumedMessages.jobNotFound),
    brandNotFound: failure("no such brand", assumedMessages.brandNotFound),
    savedAdNotFound: failure("no such saved ad", assumedMessages.savedAdNotFound),
  },
};
