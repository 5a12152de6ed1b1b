import type { MockFault } from "../../../faults/fault.ts";
import { endlessNumberOf, given, isObject, keyOf, operationOf } from "./admin-input.ts";
import { type AdminRoute, makesSense, Refusal } from "./admin-route.ts";

export const faultRoutes: readonly AdminRoute[] = [
  {
    method: "GET",
    path: "/__mock/faults",
    summary: "the faults that wait; a number without end is null",
    answer: ({ service }) => ({ faults: service.faults.planned }),
  },
  {
    method: "POST",
    path: "/__mock/faults",
    summary: "plays a fault: {fault: {kind, …}, times?, operation?, account?, probability?}",
    fields: ["fault", "times", "operation", "account", "probability"],
    answer: ({ service, body }) => {
      const { fault } = body;
      if (!isObject(fault) || typeof fault["kind"] !== "string") {
        throw new Refusal(400, "fault: expected an object with a kind");
      }
      const probability = body["probability"];
      if (probability !== undefined && typeof probability !== "number") {
        throw new Refusal(400, "probability: expected a number, 0 to 1");
      }
      const options = given({
        times: endlessNumberOf(body, "times"),
        operation: operationOf(body),
        account: keyOf(service, body),
        probability,
      });
      // What is in a fault is the service's to judge, whatever it is: hence the cast.
      return makesSense("fault", () => service.faults.play(fault as unknown as MockFault, options));
    },
  },
  {
    method: "DELETE",
    path: "/__mock/faults",
    summary: "takes all faults back",
    answer: ({ service }) => {
      service.faults.clear();
      return { faults: service.faults.planned };
    },
  },
  {
    method: "DELETE",
    path: "/__mock/faults/:id",
    summary: "takes one fault back",
    answer: ({ service, parts }) => {
      if (!service.faults.remove(parts["id"] ?? "")) {
        throw new Refusal(404, "No planned fault with this id");
      }
      return { faults: service.faults.planned };
    },
  },
];
