import { describe, expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { actions } from "../../src/contract/actions.ts";
import { type Answered, createAsk, failure, read } from "./ask.ts";

const submit = (body: unknown): Promise<Answered> =>
  createAsk(createMockService())("POST", "/v1/jobs", body);

const submitText = async (body: string): Promise<Answered> =>
  read(
    await createMockService().fetch("https://ads.test/v1/jobs", {
      method: "POST",
      headers: { authorization: "Bearer test-key" },
      body,
    }),
  );

// Written out, not built: this is the document's own example to the letter.
const unsupportedAction =
  "Invalid action. Supported: copy-ad, generate-ad, edit-ad, generate-ad-copy, image-a-2, image-a-pro, video-a-2, video-a-2-pro, video-b-3-0";

const invalid = (name: string, expected: string) =>
  `Invalid parameter ${name}: expected ${expected}`;
const badVariations = invalid("variations", "an integer from 1 to 10");
const badDuration = invalid("duration", "seconds, more than 0 and at most 60");

describe("submitting a job", () => {
  test.each(actions)("accepts %s with 202, an id and the state queued", async (action) => {
    const { status, text, data } = await submit({ action });
    expect(status).toBe(202);
    expect(data.job_id).toMatch(/^job_[0-9a-z]{14}$/);
    expect(text).toBe(
      `{"success":true,"data":{"job_id":"${data.job_id}","status":"queued"},"error":null}`,
    );
  });

  test.each([
    ["unknown", { action: "make-ad" }],
    ["of other case", { action: "Generate-Ad" }],
    ["padded", { action: " generate-ad" }],
    ["missing", {}],
    ["null", { action: null }],
    ["a number", { action: 1 }],
    ["a list", { action: ["generate-ad"] }],
    ["a name that every object has", { action: "constructor" }],
    ["unknown, beside other faults", { action: "make-ad", variations: 99, prompt: 1 }],
  ])("refuses an action that is %s with the documented message", async (_, body) => {
    const { status, text } = await submit(body);
    expect(status).toBe(400);
    expect(text).toBe(failure(unsupportedAction));
  });

  test.each([
    ["variations", 0, badVariations],
    ["variations", 11, badVariations],
    ["variations", -1, badVariations],
    ["variations", 1.5, badVariations],
    ["variations", "4", invalid("variations", "number")],
    ["variations", null, invalid("variations", "number")],
    ["duration", 0, badDuration],
    ["duration", -5, badDuration],
    ["duration", 61, badDuration],
    ["duration", "5", invalid("duration", "number")],
    ["prompt", 5, invalid("prompt", "string")],
    ["images", "https://ads.test/a.png", invalid("images", "array")],
    ["images", ["a", 1], invalid("images.1", "string")],
  ])("refuses %s of %j with 400", async (name, value, message) => {
    const service = createMockService();
    const before = service.account("test-key").ledger;
    const body = { action: "video-a-2", [name]: value };
    const { status, text } = await createAsk(service)("POST", "/v1/jobs", body);
    expect(status).toBe(400);
    expect(text).toBe(failure(message));
    expect(service.account("test-key").ledger).toEqual(before);
  });

  test.each(["", "{", "undefined", '{"action":"copy-ad",}', "action=copy-ad", "\u0000"])(
    "refuses %j, which is not JSON",
    async (body) => {
      const { status, text } = await submitText(body);
      expect(status).toBe(400);
      expect(text).toBe(failure("Request body must be valid JSON"));
    },
  );

  test.each(["null", "[]", '"copy-ad"', "4", "true", '[{"action":"copy-ad"}]'])(
    "refuses %s, which is not an object",
    async (body) => {
      const { status, text } = await submitText(body);
      expect(status).toBe(400);
      expect(text).toBe(failure("Request body must be a JSON object"));
    },
  );

  test("takes nothing from a prototype that a body brings", async () => {
    const { status, text } = await submitText('{"__proto__":{"action":"copy-ad"}}');
    expect(status).toBe(400);
    expect(text).toBe(failure(unsupportedAction));
  });
});
