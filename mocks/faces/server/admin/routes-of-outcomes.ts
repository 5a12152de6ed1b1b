import {
  fieldsOnly,
  jsonTimes,
  milliseconds,
  optional,
  orEndless,
} from "../../../options/fields.ts";
import { outcomeChecks, outcomeFields, outcomeOptionsSchema } from "../../../outcomes/outcome.ts";
import { found } from "./refuse.ts";
import { bodyOfOneAccount, defineRoute, idOf, ofOneAccount } from "./route.ts";

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
    run: ({ scope }) => ({ outcomes: scope.jobs.planned }),
  }),
  planJobs: defineRoute({
    summary: "Decides how the next jobs end",
    input: { body: newOutcome },
    run: ({ service, body }) => {
      // Each rest is the fields that the other one names.
      const { account, action, times, ...outcome } = body;
      const { fail, result, takesMs, ...options } = body;
      return service.jobs.next(outcome, options);
    },
  }),
  assertOutcomes: defineRoute({
    summary: "Answers 200 when no outcome waits, and 409 with those not taken as often as planned",
    input: { body: bodyOfOneAccount },
    run: ({ scope }) => {
      scope.jobs.assertTaken();
      return { taken: true };
    },
  }),
  clearOutcomes: defineRoute({
    summary: "Takes all outcomes back that wait, or those for one account alone",
    input: { query: ofOneAccount },
    run: ({ service, scope }) => {
      scope.jobs.clearPlanned();
      return { outcomes: service.jobs.planned };
    },
  }),
  removeOutcome: defineRoute({
    summary: "Takes one outcome back",
    input: { path: idOf("outcome"), query: ofOneAccount },
    run: ({ service, scope, path: { id } }) => {
      found(scope.jobs.removePlanned(id), `No planned outcome has the id "${id}"`);
      return { outcomes: service.jobs.planned };
    },
  }),
};
