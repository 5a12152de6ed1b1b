import { assumedMessages } from "../../mocks/domain/messages.ts";
import { failureEnvelope } from "../../src/contract/envelope.ts";
import { unsupportedActionMessage } from "../../src/contract/supported-actions.ts";

const example = (summary: string, error: string) => ({ summary, value: failureEnvelope(error) });

/** Failures by status. Their words are the mock's, except the one for an unsupported action. */
export const failures = {
  400: {
    name: "BadRequest",
    description:
      'Invalid parameters. For an unsupported action the message is "Invalid action. Supported: " and the nine actions.',
    "x-documented": "7. Errors",
    "x-assumed": ["A14", "A15", "A22"],
    examples: {
      unsupportedAction: example("the documented message", unsupportedActionMessage()),
      invalidParameter: example(
        "an invalid parameter",
        assumedMessages.invalidParameter("variations", "expected an integer from 1 to 10"),
      ),
      bodyNotJson: example("a body that is no JSON", assumedMessages.bodyNotJson),
    },
  },
  401: {
    name: "Unauthorized",
    description: "The API key is missing or invalid.",
    "x-documented": "5. Authentication",
    "x-assumed": ["A15", "A20"],
    examples: { unauthorized: example("no key, or a wrong one", assumedMessages.unauthorized) },
  },
  402: {
    name: "PaymentRequired",
    description: "Insufficient credits. Monthly ones are renewed each month (A19).",
    "x-documented": "7. Errors",
    "x-assumed": ["A13", "A15", "A19"],
    examples: {
      insufficientCredits: example("too few credits", assumedMessages.insufficientCredits),
    },
  },
  404: {
    name: "NotFound",
    description: "There is no such thing, or it belongs to another account.",
    "x-documented": "7. Errors",
    "x-assumed": ["A15", "A16"],
    examples: {
      jobNotFound: example("no such job", assumedMessages.jobNotFound),
      brandNotFound: example("no such brand", assumedMessages.brandNotFound),
      savedAdNotFound: example("no such saved ad", assumedMessages.savedAdNotFound),
    },
  },
} as const;
