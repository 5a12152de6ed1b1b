import { type Endpoint, endpoints } from "../../../src/contract/endpoint.ts";
import { assumedMessages } from "../../domain/messages.ts";
import { header, refused, type Step, step } from "./step.ts";

const unauthorized = [
  ...refused(401, "5. Authentication", assumedMessages.unauthorized),
  header("www-authenticate", "Bearer", "A20", 401, (value) => value === "Bearer"),
];

const headers: readonly (readonly [what: string, authorization: string])[] = [
  ["a bearer without a key", "Bearer"],
  ["an empty key", "Bearer "],
  ["another scheme", "Basic dGVzdC1rZXk6"],
  ["a key without its scheme", "test-unknown"],
  ["a scheme in other letters", "bearer test-unknown"],
  ["two keys", "Bearer test-unknown, Bearer test-nobody"],
  ["a key by a name that every object has", "Bearer __proto__"],
];

/** What each call would take with a right key, and free of charge. */
const body = { action: "generate-ad-copy", name: "{label}", brand_id: "unknown" };

export const authenticationSteps: readonly Step[] = [
  step("refuses a request without a key", "GET /v1/jobs", unauthorized, { key: "odd" }),
  ...headers.map(([what, authorization]) =>
    step(`refuses ${what}`, "GET /v1/jobs", unauthorized, {
      key: "odd",
      headers: { authorization },
    }),
  ),
  step("refuses a key in the query", "GET /v1/jobs?api_key=test-unknown", unauthorized, {
    key: "odd",
  }),
  // Every call with a key that is nobody's: it cannot do anything, and nobody can be charged.
  ...Object.entries<Endpoint>(endpoints).map(([name, { method, path }]) =>
    step(
      `refuses a wrong key: ${name}`,
      `${method} ${path.replace(":id", "unknown") as `/${string}`}`,
      unauthorized,
      { key: "wrong", ...((method === "POST" || method === "PATCH") && { body }) },
    ),
  ),
  step(
    "looks at the key before the path",
    "GET /v1/unknown",
    refused(401, "A14", assumedMessages.unauthorized),
    { key: "wrong" },
  ),
  step(
    "looks at the key before the body",
    "POST /v1/brands",
    refused(401, "A14", assumedMessages.unauthorized),
    { key: "wrong", body: "{" },
  ),
];
