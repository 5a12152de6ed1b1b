import { faultOptionsSchema, faultSchema } from "../../../faults/fault-schema.ts";
import { fieldsOnly, jsonTimes, optional } from "../../../options/fields.ts";
import { found } from "./refuse.ts";
import { bodyOfOneAccount, defineRoute, idOf, ofOneAccount } from "./route.ts";

/** Body that plays a fault. */
const newFault = fieldsOnly({
  fault: faultSchema,
  ...faultOptionsSchema.shape,
  times: optional(jsonTimes, "How many requests meet it; 1 by default, null for all"),
});

export const faultRoutes = {
  listFaults: defineRoute({
    summary: "Lists the faults that wait for their requests",
    input: { query: ofOneAccount },
    run: ({ scope }) => ({ faults: scope.faults.planned }),
  }),
  playFault: defineRoute({
    summary: "Plays a fault to the next requests",
    input: { body: newFault },
    run: ({ service, body: { fault, ...options } }) => service.faults.play(fault, options),
  }),
  assertFaults: defineRoute({
    summary: "Answers 200 when no fault waits, and 409 with those not played as often as planned",
    input: { body: bodyOfOneAccount },
    run: ({ scope }) => {
      scope.faults.assertPlayed();
      return { played: true };
    },
  }),
  clearFaults: defineRoute({
    summary: "Takes all faults back, or those for one account alone",
    input: { query: ofOneAccount },
    run: ({ service, scope }) => {
      scope.faults.clear();
      return { faults: service.faults.planned };
    },
  }),
  removeFault: defineRoute({
    summary: "Takes one fault back",
    input: { path: idOf("fault"), query: ofOneAccount },
    run: ({ service, scope, path: { id } }) => {
      found(scope.faults.remove(id), `No planned fault has the id "${id}"`);
      return { faults: service.faults.planned };
    },
  }),
};
