import * as z from "zod/mini";
import { faultOptionsSchema, faultSchema } from "../../../faults/fault-schema.ts";
import { fieldsOnly, jsonTimes, optional, text } from "../../../options/fields.ts";
import { faultList, plannedFault } from "./answers.ts";
import { bodyOfOneAccount, ofOneAccount } from "./read-input.ts";
import { accountOrAll, orConflict, refuse, refuseAs, requireAccount } from "./refuse.ts";
import { type AdminRoute, defineRoute } from "./route.ts";

/** Body that plays a fault. */
const newFault = fieldsOnly({
  fault: faultSchema,
  ...faultOptionsSchema.shape,
  times: optional(jsonTimes, "How many requests meet it; 1 by default, null for all"),
});

export const faultRoutes: readonly AdminRoute[] = [
  defineRoute("listFaults", "GET /__mock/faults", {
    summary: "Lists the faults that wait for their requests",
    input: { query: ofOneAccount },
    answer: faultList,
    run: ({ service, query }) => ({ faults: accountOrAll(service, query.account).faults.planned }),
  }),
  defineRoute("playFault", "POST /__mock/faults", {
    summary: "Plays a fault to the next requests",
    input: { body: newFault },
    answer: plannedFault,
    run: ({ service, body: { fault, ...options } }) => {
      requireAccount(service, options.account);
      return refuseAs("fault", () => service.faults.play(fault, options));
    },
  }),
  defineRoute("assertFaults", "POST /__mock/faults/assert", {
    summary: "Answers 200 when no fault waits, and 409 with those not played as often as planned",
    input: { body: bodyOfOneAccount },
    answer: z.object({ played: z.boolean() }),
    otherAnswers: { 409: "Faults wait for requests; the error lists them." },
    run: ({ service, body: { account } }) => {
      const { faults } = accountOrAll(service, account);
      orConflict(faults.assertPlayed);
      return { played: true };
    },
  }),
  defineRoute("clearFaults", "DELETE /__mock/faults", {
    summary: "Takes all faults back, or those for one account alone",
    input: { query: ofOneAccount },
    answer: faultList,
    run: ({ service, query }) => {
      accountOrAll(service, query.account).faults.clear();
      return { faults: service.faults.planned };
    },
  }),
  defineRoute("removeFault", "DELETE /__mock/faults/:id", {
    summary: "Takes one fault back",
    input: { path: z.object({ id: text.check(z.describe("Identifier of the fault.")) }) },
    answer: faultList,
    run: ({ service, path: { id } }) => {
      if (!service.faults.remove(id)) throw refuse(404, `No planned fault has the id "${id}"`);
      return { faults: service.faults.planned };
    },
  }),
];
