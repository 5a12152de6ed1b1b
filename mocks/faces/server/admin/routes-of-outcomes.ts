import * as z from "zod/mini";
import {
  fieldsOnly,
  jsonTimes,
  milliseconds,
  optional,
  orEndless,
  text,
} from "../../../options/fields.ts";
import { outcomeChecks, outcomeFields, outcomeOptionsSchema } from "../../../outcomes/outcome.ts";
import { bodyOfOneAccount, ofOneAccount } from "./read-input.ts";
import { accountOrAll, orConflict, refuse, refuseAs, requireAccount } from "./refuse.ts";
import { defineRoute } from "./route.ts";

/** Body that decides how the next jobs end. */
const newOutcome = fieldsOnly({
  ...outcomeFields,
  takesMs: optional(
    orEndless(milliseconds, "milliseconds, zero or more, or null for no end"),
    "Milliseconds that the job takes; null: it expires",
  ),
  ...outcomeOptionsSchema.shape,
  times: optional(jsonTimes, "How many submissions it is for; 1 by default, null for all"),
}).check(...outcomeChecks);

export const outcomeRoutes = {
  listOutcomes: defineRoute({
    summary: "Lists the outcomes that wait for their jobs",
    input: { query: ofOneAccount },
    run: ({ service, query }) => ({ outcomes: accountOrAll(service, query.account).jobs.planned }),
  }),
  planJobs: defineRoute({
    summary: "Decides how the next jobs end",
    input: { body: newOutcome },
    run: ({ service, body }) => {
      // Each rest is the fields that the other one names.
      const { account, action, times, ...outcome } = body;
      const { fail, result, takesMs, ...options } = body;
      requireAccount(service, account);
      return refuseAs("outcome", () => service.jobs.next(outcome, options));
    },
  }),
  assertOutcomes: defineRoute({
    summary: "Answers 200 when no outcome waits, and 409 with those not taken as often as planned",
    input: { body: bodyOfOneAccount },
    run: ({ service, body: { account } }) => {
      const { jobs } = accountOrAll(service, account);
      orConflict(jobs.assertTaken);
      return { taken: true };
    },
  }),
  clearOutcomes: defineRoute({
    summary: "Takes all outcomes back that wait, or those for one account alone",
    input: { query: ofOneAccount },
    run: ({ service, query }) => {
      accountOrAll(service, query.account).jobs.clearPlanned();
      return { outcomes: service.jobs.planned };
    },
  }),
  removeOutcome: defineRoute({
    summary: "Takes one outcome back",
    input: { path: z.object({ id: text.check(z.describe("Identifier of the outcome.")) }) },
    run: ({ service, path: { id } }) => {
      if (!service.jobs.removePlanned(id)) {
        throw refuse(404, `No planned outcome has the id "${id}"`);
      }
      return { outcomes: service.jobs.planned };
    },
  }),
};
