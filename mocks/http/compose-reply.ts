import { failureEnvelope } from "../../src/contract/envelope.ts";
import { assumedMessages } from "../domain/messages.ts";
import type { MockFault } from "../faults/fault.ts";
import { allowsBody } from "./delivery.ts";
import type { Delivery } from "./reply.ts";
import type { Answer } from "./route.ts";

/** What is to be written, before it is known how it is delivered. */
interface Written {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface Composed extends Written {
  readonly delivery: Delivery;
}

/** Whether the service carries a request out that meets this fault. */
export const isAccepted = (fault: MockFault | undefined): boolean => {
  if (fault === undefined) return true;
  if ("accepted" in fault && fault.accepted !== undefined) return fault.accepted;
  return !["reset", "stall", "refuse", "html", "status", "rate-limit"].includes(fault.kind);
};

const json = { "content-type": "application/json" };

const seconds = (ms: number): string => String(Math.ceil(ms / 1000));

const writeAnswer = ({ status, envelope, retryAfterMs }: Answer): Written => ({
  status,
  headers: retryAfterMs === undefined ? json : { ...json, "retry-after": seconds(retryAfterMs) },
  body: JSON.stringify(envelope),
});

const writePage = (status: number): Written => {
  const title = status === 502 ? "502 Bad Gateway" : String(status);
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: `<!doctype html>\n<html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  };
};

const writeFailure = (status: number, message: string): Written => ({
  status,
  headers: json,
  body: JSON.stringify(failureEnvelope(message)),
});

const lowerCaseKeys = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** What a fault answers in the service's place. */
const writeInstead = (fault: MockFault): Written | undefined => {
  switch (fault.kind) {
    case "html":
      return writePage(fault.status ?? 502);
    case "rate-limit": {
      const { status, headers, body } = writeFailure(429, assumedMessages.rateLimited);
      const retryAfter = { "retry-after": seconds(fault.retryAfterMs ?? 1_000) };
      return { status, headers: { ...headers, ...retryAfter }, body };
    }
    case "status": {
      const { status, headers = {}, body } = fault;
      const written = writeFailure(status, assumedMessages.serviceFault(status));
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return {
        status,
        headers: { ...written.headers, ...lowerCaseKeys(headers) },
        body: text ?? written.body,
      };
    }
    default:
      return undefined;
  }
};

const deliveryOf = (fault: MockFault | undefined, body: string): Delivery => {
  switch (fault?.kind) {
    case "reset":
    case "stall":
    case "refuse":
      return { how: fault.kind };
    case "stall-body":
    case "cut-body": {
      const length = new TextEncoder().encode(body).length;
      // At least one byte is missing: a whole body would not be cut.
      const afterBytes = Math.min(fault.afterBytes ?? length >> 1, Math.max(0, length - 1));
      return { how: fault.kind, afterBytes };
    }
    case "drip-body":
      return { how: fault.kind, bytes: fault.bytes ?? 1, everyMs: fault.everyMs ?? 100 };
    default:
      return { how: "whole" };
  }
};

/** Puts an answer and a fault together; without an answer, the fault has taken its place. */
export const composeReply = (
  method: string,
  answer: Answer | undefined,
  fault: MockFault | undefined,
  requestId: string,
): Composed => {
  const instead = fault && writeInstead(fault);
  const written = instead ?? (answer ? writeAnswer(answer) : writeFailure(500, ""));
  const { status } = written;
  const whole = allowsBody(method, status) ? written.body : "";
  const body = fault?.kind === "wrong-json" ? whole.slice(0, whole.length >> 1) : whole;
  return {
    status,
    headers: {
      "x-request-id": requestId,
      ...written.headers,
      // Under fake timers a kept connection hangs: undici checks an idle one with a timer.
      connection: "close",
    },
    body,
    delivery: deliveryOf(body === "" && fault?.kind.endsWith("-body") ? undefined : fault, body),
  };
};
