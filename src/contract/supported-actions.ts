import { actions } from "./actions.ts";

const prefix = "Invalid action. Supported: ";

/**
 * The service's answer to an action that it does not support, to the letter.
 *
 * @see API v1, section 7, rule 1
 */
export const unsupportedActionMessage = (supported: readonly string[] = actions): string =>
  prefix + supported.join(", ");

/** `undefined` for another message. */
export const parseSupportedActions = (message: string): readonly string[] | undefined =>
  message.startsWith(prefix) ? message.slice(prefix.length).split(", ") : undefined;
