import { type Endpoint, endpoints } from "../../../src/contract/endpoint.ts";
import { assumedMessages } from "../../domain/messages.ts";
import { assumed, documented, header, refused, type Step, step } from "./step.ts";

const unauthorized = [
  ...refused(401, documented("5. Authentication"), assumedMessages.unauthorized),
  header("www-authenticate", "Bearer", (value) => value === "Bearer", assumed("A20")),
];

const asking = (name: string, authorization: string | undefined, more: object = {}): Step =>
  step(name, "GET /v1/jobs", unauthorized, {
    key: "odd",
    ...(authorization !== undefined && { headers: { authorization } }),
    ...more,
  });

/** A body that would be taken with a key, and is free. */
const bodyOf = (name: string): object | undefined =>
  ({
    "jobs.submit": { action: "generate-ad-copy", prompt: "Conformance" },
    "brands.create": { name: "{label}" },
    "brands.update": { name: "{label}" },
    "savedAds.create": { brand_id: "unknown" },
  })[name];

export const authenticationSteps: readonly Step[] = [
  asking("refuses a request without a key", undefined),
  asking("refuses a bearer without a key", "Bearer"),
  asking("refuses an empty key", "Bearer "),
  asking("refuses another scheme", "Basic dGVzdC1rZXk6"),
  asking("refuses a key without its scheme", "test-unknown"),
  asking("refuses a scheme in other letters", "bearer test-unknown"),
  asking("refuses two keys", "Bearer test-unknown, Bearer test-nobody"),
  asking("refuses a key by a name that every object has", "Bearer __proto__"),
  step("refuses a key in the query", "GET /v1/jobs?api_key=test-unknown", unauthorized, {
    key: "odd",
  }),
  // Every call with a key that is nobody's: it cannot do anything, and nobody can be charged.
  ...Object.entries<Endpoint>(endpoints).map(([name, { method, path }]) => {
    const body = bodyOf(name);
    return step(
      `refuses a wrong key: ${name}`,
      `${method} ${path.replace(":id", "unknown") as `/${string}`}`,
      unauthorized,
      { key: "wrong", ...(body && { body }) },
    );
  }),
  step(
    "looks at the key before the path",
    "GET /v1/unknown",
    refused(401, assumed("A14"), assumedMessages.unauthorized),
    { key: "wrong" },
  ),
  step(
    "looks at the key before the body",
    "POST /v1/brands",
    refused(401, assumed("A14"), assumedMessages.unauthorized),
    { key: "wrong", body: "{" },
  ),
];
