/*
 * `submitMany`: many submissions and their waits, with limits and a rule of when to stop. This
 * folder imports polling, http and what lies below them, and submits only through the client that
 * it is given.
 */

import { actions, documentedPriceOf } from "../../contract/actions.ts";
import { describeValue } from "../errors/text.ts";
import { refuseCallOptions, refuseLocalPictures, requestForm, writeBody } from "../http/body.ts";
import { onceIdRule, refuseWrite } from "../options/rules.ts";

/** A copy of a submission's body, which nobody changes any more. */
export type Body = Readonly<Record<string, unknown>>;

/** The limits of a list of requests; `undefined` means no limit. */
export interface Guards {
  readonly maxJobs?: number | undefined;
  readonly maxImageCredits?: number | undefined;
}

/** Names a request in messages, by its place in the list. */
export const nameOfRequest = (index: number): string => `requests[${index}]`;

/**
 * Counts the image credits of a request. Refuses a request that can't be counted, because the limit
 * must hold.
 */
const imageCreditsOf = (body: Body, index: number): number => {
  const { credit, variations } = documentedPriceOf(body);
  const refuse = (field: string, value: unknown, expected: string): never =>
    refuseWrite(
      `maxImageCredits cannot count the credits of ${nameOfRequest(index)}: its ${field} is ` +
        `${describeValue(value)}, expected ${expected}`,
    );
  if (credit === undefined) return refuse("action", body["action"], `one of ${actions.join(", ")}`);
  if (credit !== "image") return 0;
  return variations ?? refuse("variations", body["variations"], "a whole number from 1");
};

const checkCredits = (bodies: readonly Body[], maxImageCredits: number | undefined): void => {
  if (maxImageCredits === undefined) return;
  const credits = bodies.reduce((sum, body, index) => sum + imageCreditsOf(body, index), 0);
  if (credits > maxImageCredits) {
    refuseWrite(
      `submitMany got requests for ${credits} image credits, ` +
        `more than maxImageCredits (${maxImageCredits}): nothing was sent`,
    );
  }
};

/** Reads all requests once, and refuses the list if one of them can't be sent. */
export const readRequests = (requests: unknown, guards: Guards): Body[] => {
  const isList = typeof requests === "object" && requests !== null && Symbol.iterator in requests;
  if (!isList) {
    refuseWrite(
      "submitMany takes a client first, and then a list of requests " +
        `(for one request: jobs.submitAndPoll), got ${describeValue(requests)}`,
    );
  }
  const bodies: Body[] = [];
  for (const request of requests as Iterable<unknown>) {
    const name = nameOfRequest(bodies.length);
    // Check within the loop, because the list may be endless.
    if (bodies.length === guards.maxJobs) {
      refuseWrite(
        `submitMany got more requests than maxJobs (${guards.maxJobs}): nothing was sent`,
      );
    }
    const body = writeBody(request, name, requestForm).fields;
    refuseCallOptions(body, name);
    refuseLocalPictures(body, name);
    bodies.push(body);
  }
  checkCredits(bodies, guards.maxImageCredits);
  return bodies;
};

/** Reads the id of each request, and refuses the list if an id is unusable. */
export const readIds = (
  bodies: readonly Body[],
  once: ((request: Body, index: number) => unknown) | undefined,
): readonly string[] =>
  once === undefined
    ? []
    : bodies.map((body, index) =>
        onceIdRule(once(body, index), `once of ${nameOfRequest(index)}`, refuseWrite),
      );
