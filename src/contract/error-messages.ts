import { actions } from "./actions.ts";

const unsupportedActionPrefix = "Invalid action. Supported: ";

/** Documented to the letter: section 7, rule 1. */
export const unsupportedActionMessage: string = unsupportedActionPrefix + actions.join(", ");

/** The action names in an "unsupported action" message; `undefined` when the message is another one. */
export const parseSupportedActions = (message: string): readonly string[] | undefined =>
  message.startsWith(unsupportedActionPrefix)
    ? message.slice(unsupportedActionPrefix.length).split(", ")
    : undefined;
