import type { JobRequest } from "../contract/jobs.ts";
import { describeValue } from "../errors/text.ts";
import { refuseWrite } from "../options/rules.ts";
import { copyBody } from "../request/body.ts";

/** Writes a value as JSON with the names of each object in order. */
const inOrder = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inOrder).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, item]) => `${JSON.stringify(name)}:${inOrder(item)}`).join()}}`;
};

/** Digest of a request, the same whatever the order of its parameters. */
export const digestOf = async (request: JobRequest): Promise<string> => {
  const bytes = new TextEncoder().encode(inOrder(request));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
};

/** Copies a request as `submit` would; refuses what cannot be sent, or has no action. */
export const copyRequest = (request: unknown): JobRequest => {
  const { action, ...parameters } = copyBody(request, "request");
  if (typeof action !== "string" || action === "") {
    refuseWrite(`request.action must be the action to run, got ${describeValue(action)}`);
  }
  // The service judges the parameters, as it does for `submit`.
  return { action, ...parameters } as JobRequest;
};
