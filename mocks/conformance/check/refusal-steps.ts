import { unsupportedActionMessage } from "../../../src/contract/supported-actions.ts";
import { assumedMessages } from "../../domain/messages.ts";
import { type Rule, refused, type Step } from "./step.ts";
import { copy, errors, invalid, limits, submit, variationsRange } from "./submit-step.ts";

const unsupported = refused(400, errors, unsupportedActionMessage(), errors);
/** That a missing or mistyped action is an unsupported one. */
const noAction = refused(400, errors, unsupportedActionMessage(), "A14");

const notJson = (rule: Rule) => refused(400, rule, assumedMessages.bodyNotJson);

type WrongParameter = [name: string, value: unknown, expected: string, place?: string];

const wrongParameters: readonly WrongParameter[] = [
  ...[0, -1, 1.5].map((count): WrongParameter => ["variations", count, variationsRange]),
  ...["4", null, true, [4]].map((value): WrongParameter => ["variations", value, "number"]),
  ["prompt", 5, "string"],
  ["images", "https://example.com/a.png", "array"],
  ["images", ["https://example.com/a.png", 1], "string", "images.1"],
  ["duration", "5", "number"],
];

/** Jobs that are not taken. */
export const refusalSteps: readonly Step[] = [
  submit("refuses an action that is not supported", { action: "make-ad" }, unsupported),
  ...["", "Generate-Ad-Copy", " generate-ad-copy", "constructor"].map((action) =>
    submit(`refuses the action "${action}"`, { action }, unsupported),
  ),
  ...[undefined, null, 4, ["generate-ad-copy"]].map((action) =>
    submit(`refuses an action that is ${JSON.stringify(action)}`, { action }, noAction),
  ),
  submit(
    "refuses it before it looks at the parameters",
    { action: "make-ad", variations: 99 },
    noAction,
  ),
  ...["", "{", '{"action":"generate-ad-copy",}'].map((text) =>
    submit(`refuses a body that is no JSON: ${text}`, text, notJson(errors)),
  ),
  submit("refuses a form", "action=generate-ad-copy", notJson("A1"), {
    headers: { "content-type": "application/x-www-form-urlencoded" },
  }),
  ...["null", "[]", '"generate-ad-copy"', "4", '[{"action":"generate-ad-copy"}]'].map((text) =>
    submit(
      `refuses a body that is no object: ${text}`,
      text,
      refused(400, errors, assumedMessages.bodyNotObject),
    ),
  ),
  submit(
    "refuses 11 variations",
    { ...copy, variations: 11 },
    invalid("variations", variationsRange, limits),
  ),
  ...wrongParameters.map(([name, value, expected, place = name]) =>
    submit(
      `refuses ${name}: ${JSON.stringify(value)}`,
      { ...copy, [name]: value },
      invalid(place, expected),
    ),
  ),
  submit(
    "refuses a brand that nobody has",
    { ...copy, brand_id: "unknown" },
    refused(404, "A2", assumedMessages.brandNotFound),
  ),
];
