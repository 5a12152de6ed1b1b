import { failureEnvelope } from "../../src/contract/envelope.ts";
import { assumedMessages } from "../domain/messages.ts";
import type { MockFault } from "../faults/fault.ts";
import type { Answer } from "./answer.ts";
import { allowsBody } from "./delivery.ts";
import type { Delivery, MockReply } from "./reply.ts";
import { writeEnvelope } from "./write-envelope.ts";

/** Status, headers and body, before the fault decides how they are delivered. */
type Message = Pick<MockReply, "status" | "headers" | "body">;

const json = { "content-type": "application/json" };

const toSeconds = (ms: number): string => String(Math.ceil(ms / 1000));

const writeAnswer = ({ status, envelope, retryAfterMs, headers }: Answer): Message => ({
  status,
  headers: {
    ...json,
    ...headers,
    ...(retryAfterMs !== undefined && { "retry-after": toSeconds(retryAfterMs) }),
  },
  body: writeEnvelope(envelope),
});

const writePage = (status: number): Message => {
  const title = status === 502 ? "502 Bad Gateway" : String(status);
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: `<!doctype html>\n<html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  };
};

const writeFailure = (status: number, message: string): Message => ({
  status,
  headers: json,
  body: JSON.stringify(failureEnvelope(message)),
});

const lowerCaseKeys = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Writes the answer of a fault in the service's place; `undefined` when the service answers. */
const writeInstead = (fault: MockFault): Message | undefined => {
  switch (fault.kind) {
    case "html":
      return writePage(fault.status ?? 502);
    case "rate-limit": {
      const { status, headers, body } = writeFailure(429, assumedMessages.rateLimited);
      const retryAfter = { "retry-after": toSeconds(fault.retryAfterMs ?? 1_000) };
      return { status, headers: { ...headers, ...retryAfter }, body };
    }
    case "status": {
      const { status, headers = {}, body } = fault;
      const usual = writeFailure(status, assumedMessages.serviceFault(status));
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return {
        status,
        headers: { ...usual.headers, ...lowerCaseKeys(headers) },
        body: text ?? usual.body,
      };
    }
    case "reset":
    case "stall":
    case "refuse":
    case "stall-body":
    case "cut-body":
    case "drip-body":
    case "wrong-json":
    case "latency":
      return undefined;
  }
};

/** Decides how a body is delivered. An empty one comes whole, because nothing can be cut off it. */
const deliveryOf = (fault: MockFault | undefined, body: string): Delivery => {
  switch (fault?.kind) {
    case "reset":
    case "stall":
    case "refuse":
      return { how: fault.kind };
    case "stall-body":
    case "cut-body": {
      if (body === "") return { how: "whole" };
      const { length } = new TextEncoder().encode(body);
      // At least one byte is missing, or the body would not be cut.
      return { how: fault.kind, afterBytes: Math.min(fault.afterBytes ?? length >> 1, length - 1) };
    }
    case "drip-body":
      if (body === "") return { how: "whole" };
      return { how: fault.kind, bytes: fault.bytes ?? 1, everyMs: fault.everyMs ?? 100 };
    case "wrong-json":
    case "html":
    case "status":
    case "rate-limit":
    case "latency":
    case undefined:
      return { how: "whole" };
  }
};

/** Composes an answer and a fault; without an answer, the fault has taken its place. */
export const composeReply = (
  method: string,
  answer: Answer | undefined,
  fault: MockFault | undefined,
  requestId: string,
): Message & Pick<MockReply, "delivery"> => {
  const instead = fault && writeInstead(fault);
  // The 500 of a broken connection never goes out; its delivery has no answer.
  const message = instead ?? (answer ? writeAnswer(answer) : writeFailure(500, ""));
  const { status } = message;
  const whole = allowsBody(method, status) ? message.body : "";
  const body = fault?.kind === "wrong-json" ? whole.slice(0, whole.length >> 1) : whole;
  return {
    status,
    headers: {
      "x-request-id": requestId,
      ...message.headers,
      // Under fake timers a kept connection hangs: undici checks an idle one with a timer.
      connection: "close",
    },
    body,
    delivery: deliveryOf(fault, body),
  };
};
