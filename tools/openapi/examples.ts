import { readFileSync } from "node:fs";
import type { EndpointName } from "../../src/contract/endpoint.ts";

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
