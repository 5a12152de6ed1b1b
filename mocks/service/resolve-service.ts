import type { MockServiceOptions } from "../options/options.ts";
import { refusal } from "../options/require.ts";
import { createMockService } from "./create-mock-service.ts";
import type { MockService } from "./mock-service.ts";

/**
 * The service that a face was given, or one that is made for it.
 *
 * @throws TypeError when it was given one and options of another
 */
export const resolveService = (
  given: MockService | undefined,
  options: MockServiceOptions,
): MockService => {
  if (given === undefined) return createMockService(options);
  const [option] = Object.keys(options);
  if (option === undefined) return given;
  throw refusal("service", `given without ${option}: it has its own`);
};
