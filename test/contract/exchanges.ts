import { readFileSync } from "node:fs";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import type { Envelope } from "../../src/contract/envelope.ts";

/** One request and its answer, as the API's document and our assumptions have them. */
export interface Exchange {
  readonly name: string;
  readonly endpoint: EndpointName;
  readonly request: { readonly method: string; readonly path: string; readonly body?: object };
  readonly response: { readonly status: number; readonly body: Envelope };
}

const recorded: Readonly<Record<string, Omit<Exchange, "name">>> = JSON.parse(
  readFileSync("tools/openapi/recorded.json", "utf8"),
);

/** The exchanges that the OpenAPI document takes its examples from. */
export const exchanges: readonly Exchange[] = Object.entries(recorded).map(([key, exchange]) => ({
  name: key.replaceAll("-", " "),
  ...exchange,
}));

export const successes = exchanges.filter(({ response }) => response.body.success);
export const failures = exchanges.filter(({ response }) => !response.body.success);
