import * as z from "zod/mini";
import { faultOptionsSchema, faultSchema } from "../../../faults/fault-schema.ts";
import { fieldsOnly, jsonTimes, optional, text } from "../../../options/fields.ts";
import { bodyOfOneAccount, ofOneAccount } from "./read-input.ts";
import { accountOrAll, orConflict, refuse, refuseAs, requireAccount } from "./refuse.ts";
import { defineRoute } from "./route.ts";

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
    run: ({ service, query }) => ({ faults: accountOrAll(service, query.account).faults.planned }),
  }),
  playFault: defineRoute({
    summary: "Plays a fault to the next requests",
    input: { body: newFault },
    run: ({ service, body: { fault, ...options } }) => {
      requireAccount(service, options.account);
      return refuseAs("fault", () => service.faults.play(fault, options));
    },
  }),
  assertFaults: defineRoute({
    summary: "Answers 200 when no fault waits, and 409 with those not played as often as planned",
    input: { body: bodyOfOneAccount },
    run: ({ service, body: { account } }) => {
      const { faults } = accountOrAll(service, account);
      orConflict(faults.assertPlayed);
      return { played: true };
    },
  }),
  clearFaults: defineRoute({
    summary: "Takes all faults back, or those for one account alone",
    input: { query: ofOneAccount },
    run: ({ service, query }) => {
      accountOrAll(service, query.account).faults.clear();
      return { faults: service.faults.planned };
    },
  }),
  removeFault: defineRoute({
    summary: "Takes one fault back",
    input: { path: z.object({ id: text.check(z.describe("Identifier of the fault.")) }) },
    run: ({ service, path: { id } }) => {
      if (!service.faults.remove(id)) throw refuse(404, `No planned fault has the id "${id}"`);
      return { faults: service.faults.planned };
    },
  }),
};
