import { faultOptionsSchema, faultSchema } from "../../../faults/fault-schema.ts";
import {
  fieldsOnly,
  jsonTimes,
  milliseconds,
  optional,
  orEndless,
} from "../../../options/fields.ts";
import { outcomeChecks, outcomeFields, outcomeOptionsSchema } from "../../../outcomes/outcome.ts";
import { bodyOfOneAccount, defineRoute, found, idOf, ofOneAccount } from "./route.ts";

/** Body that plays a fault. */
const newFault = fieldsOnly({
  fault: faultSchema,
  ...faultOptionsSchema.shape,
  times: optional(jsonTimes, "How many requests meet it; 1 by default, null for all"),
});

export const faultRoutes = {
  listFaults: defineRoute({ query: ofOneAccount }, ({ scope }) => ({
    faults: scope.faults.planned,
  })),
  playFault: defineRoute({ body: newFault }, ({ service, body: { fault, ...options } }) =>
    service.faults.play(fault, options),
  ),
  assertFaults: defineRoute({ body: bodyOfOneAccount }, ({ scope }) => {
    scope.faults.assertPlayed();
    return { played: true };
  }),
  clearFaults: defineRoute({ query: ofOneAccount }, ({ service, scope }) => {
    scope.faults.clear();
    return { faults: service.faults.planned };
  }),
  removeFault: defineRoute(
    { path: idOf("fault"), query: ofOneAccount },
    ({ service, scope, path: { id } }) => {
      found(scope.faults.remove(id), `No planned fault has the id "${id}"`);
      return { faults: service.faults.planned };
    },
  ),
};

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
  listOutcomes: defineRoute({ query: ofOneAccount }, ({ scope }) => ({
    outcomes: scope.jobs.planned,
  })),
  planJobs: defineRoute({ body: newOutcome }, ({ service, body }) => {
    // Each rest is the fields that the other one names.
    const { account, action, times, ...outcome } = body;
    const { fail, result, takesMs, ...options } = body;
    return service.jobs.next(outcome, options);
  }),
  assertOutcomes: defineRoute({ body: bodyOfOneAccount }, ({ scope }) => {
    scope.jobs.assertTaken();
    return { taken: true };
  }),
  clearOutcomes: defineRoute({ query: ofOneAccount }, ({ service, scope }) => {
    scope.jobs.clearPlanned();
    return { outcomes: service.jobs.planned };
  }),
  removeOutcome: defineRoute(
    { path: idOf("outcome"), query: ofOneAccount },
    ({ service, scope, path: { id } }) => {
      found(scope.jobs.removePlanned(id), `No planned outcome has the id "${id}"`);
      return { outcomes: service.jobs.planned };
    },
  ),
};
