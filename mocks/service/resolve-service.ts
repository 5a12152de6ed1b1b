import type { MockServiceOptions } from "../options/options.ts";
import { refusal, requireKnown } from "../options/require.ts";
import { serviceOptionNames } from "../options/resolve-options.ts";
import { createMockService } from "./create-mock-service.ts";
import type { MockService } from "./mock-service.ts";

/**
 * Gives the service that a face was given, or makes one from the options.
 *
 * @param own - Names of the face's own options, which `options` does not hold
 * @throws TypeError when the face was given both, or no service at all
 */
export const resolveService = (
  given: MockService | undefined,
  options: MockServiceOptions,
  own: readonly string[],
): MockService => {
  requireKnown("options", ["service", ...own, ...serviceOptionNames], options);
  if (given === undefined) return createMockService(options);
  const [option] = Object.keys(options);
  if (option !== undefined) {
    throw refusal("options", `a service or "${option}", not both: the service has its own options`);
  }
  if (typeof given?.reply !== "function") throw refusal("service", "made by createMockService()");
  return given;
};
