import type { MockFault } from "../../../../faults/fault.ts";
import { plural } from "../markup.ts";

type Span = Extract<MockFault, { kind: "latency" }>["ms"];

const span = (ms: Span): string => {
  if (typeof ms === "number") return `${ms} ms`;
  return "min" in ms ? `${ms.min} to ${ms.max} ms` : `${ms.median} ms, 95 % below ${ms.p95} ms`;
};

/** The numbers of a fault, as its plan or its defaults say. */
const numbersOf = (fault: MockFault): string => {
  switch (fault.kind) {
    case "status":
      return String(fault.status);
    case "html":
      return String(fault.status ?? 502);
    case "rate-limit":
      return `429, Retry-After ${Math.ceil((fault.retryAfterMs ?? 1000) / 1000)} s`;
    case "latency":
      return span(fault.ms);
    case "drip-body":
      return `${plural(fault.bytes ?? 1, "byte")} every ${fault.everyMs ?? 100} ms`;
    case "stall-body":
    case "cut-body":
      return fault.afterBytes === undefined
        ? "after half of the body"
        : `after ${plural(fault.afterBytes, "byte")}`;
    default:
      return "";
  }
};

/** Describes a fault with its own numbers: `latency 2000 ms`. */
export const describeFault = (fault: MockFault): string =>
  [fault.kind, numbersOf(fault)].filter((part) => part !== "").join(" ");
