import type { MockServiceOptions } from "../options/options.ts";
import { optionError, requireKnown } from "../options/require.ts";
import { serviceOptionNames } from "../options/resolve-options.ts";
import { createMockService } from "./create-mock-service.ts";
import type { MockService } from "./mock-service.ts";

/**
 * Returns the service that an adapter was given, or creates one from the options.
 *
 * @param own - Names of the adapter's own options, which `options` doesn't contain
 * @throws TypeError when the adapter was given both, or something that isn't a service
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
    throw optionError(
      "options",
      `a service or "${option}", not both: the service has its own options`,
    );
  }
  if (typeof given?.reply !== "function")
    throw optionError("service", "made by createMockService()");
  return given;
};
