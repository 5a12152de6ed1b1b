import { unsupportedActionMessage } from "../../../src/contract/supported-actions.ts";
import { assumedMessages } from "../../domain/messages.ts";
import { assumed, refused, type Step, says, status } from "./step.ts";
import { copy, errors, invalid, limits, submit, variationsRange } from "./submit-step.ts";

const unsupported = [status(400, errors), says(unsupportedActionMessage(), errors)];
/** That a missing or mistyped action is an unsupported one. */
const noAction = [status(400, errors), says(unsupportedActionMessage(), assumed("A14"))];

/** Jobs that are not taken. */
export const refusalSteps: readonly Step[] = [
  submit("refuses an action that is not supported", { action: "make-ad" }, unsupported),
  submit("refuses it before it looks at the parameters", { action: "make-ad", variations: 99 }, [
    status(400, errors),
    says(unsupportedActionMessage(), assumed("A14")),
  ]),
  submit("refuses an empty action", { action: "" }, unsupported),
  submit("refuses an action in other letters", { action: "Generate-Ad-Copy" }, unsupported),
  submit("refuses a padded action", { action: " generate-ad-copy" }, unsupported),
  submit("refuses a job without an action", {}, noAction),
  submit("refuses null for an action", { action: null }, noAction),
  submit("refuses a number for an action", { action: 4 }, noAction),
  submit("refuses a list of actions", { action: ["generate-ad-copy"] }, noAction),
  submit("refuses a name that every object has", { action: "constructor" }, unsupported),
  submit("refuses no body", "", refused(400, errors, assumedMessages.bodyNotJson)),
  submit("refuses broken JSON", "{", refused(400, errors, assumedMessages.bodyNotJson)),
  submit(
    "refuses a trailing comma",
    '{"action":"generate-ad-copy",}',
    refused(400, errors, assumedMessages.bodyNotJson),
  ),
  submit(
    "refuses a form",
    "action=generate-ad-copy",
    refused(400, assumed("A1"), assumedMessages.bodyNotJson),
    { headers: { "content-type": "application/x-www-form-urlencoded" } },
  ),
  ...["null", "[]", '"generate-ad-copy"', "4", '[{"action":"generate-ad-copy"}]'].map((text) =>
    submit(
      `refuses a body that is no object: ${text}`,
      text,
      refused(400, errors, assumedMessages.bodyNotObject),
    ),
  ),
  submit(
    "refuses a body that is nested too deeply",
    `{"action":"generate-ad-copy","a":${"[".repeat(100)}${"]".repeat(100)}}`,
    refused(400, assumed("A15"), assumedMessages.bodyTooDeep),
    { mockOnly: true },
  ),
  submit(
    "refuses 11 variations",
    { ...copy, variations: 11 },
    invalid("variations", variationsRange, limits),
  ),
  ...[0, -1, 1.5].map((variations) =>
    submit(
      `refuses ${variations} variations`,
      { ...copy, variations },
      invalid("variations", variationsRange),
    ),
  ),
  ...["4", null, true, [4]].map((variations) =>
    submit(
      `refuses variations that are ${JSON.stringify(variations)}`,
      { ...copy, variations },
      invalid("variations", "number"),
    ),
  ),
  submit("refuses a prompt that is a number", { ...copy, prompt: 5 }, invalid("prompt", "string")),
  submit(
    "refuses an image that is no list",
    { ...copy, images: "https://example.com/a.png" },
    invalid("images", "array"),
  ),
  submit(
    "refuses an image that is no text",
    { ...copy, images: ["https://example.com/a.png", 1] },
    invalid("images.1", "string"),
  ),
  submit(
    "refuses a duration that is text",
    { ...copy, duration: "5" },
    invalid("duration", "number"),
  ),
  submit(
    "refuses a brand that nobody has",
    { ...copy, brand_id: "unknown" },
    refused(404, assumed("A2"), assumedMessages.brandNotFound),
  ),
];
