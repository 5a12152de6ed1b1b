import { readdirSync, readFileSync } from "node:fs";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import type { Envelope } from "../../src/contract/envelope.ts";

/** One request and its answer, as the API's document and our assumptions have them. */
export interface Exchange {
  readonly name: string;
  readonly endpoint: EndpointName;
  readonly request: { readonly method: string; readonly path: string; readonly body?: object };
  readonly response: { readonly status: number; readonly body: Envelope };
}

const folder = new URL("../../tools/openapi/recorded/", import.meta.url);

/** Exchanges in `tools/openapi/recorded`. */
export const exchanges: readonly Exchange[] = readdirSync(folder)
  .filter((file) => file.endsWith(".json"))
  .map((file) => ({
    name: file.replace(".json", "").replaceAll("-", " "),
    ...JSON.parse(readFileSync(new URL(file, folder), "utf8")),
  }));

export const successes = exchanges.filter(({ response }) => response.body.success);
export const failures = exchanges.filter(({ response }) => !response.body.success);
