import { actions } from "./actions.ts";

const prefix = "Invalid action. Supported: ";

/**
 * Returns the exact message with which the service refuses an unsupported action.
 *
 * @see API v1, section 7, rule 1
 */
export const unsupportedActionMessage = (supported: readonly string[] = actions): string =>
  prefix + supported.join(", ");

/** Reads the supported actions from that message. Returns `undefined` for any other message. */
export const parseSupportedActions = (message: string): readonly string[] | undefined =>
  message.startsWith(prefix) ? message.slice(prefix.length).split(", ") : undefined;
