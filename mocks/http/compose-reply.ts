import { assumedMessages, messageOfStatus } from "../domain/messages.ts";
import type { MockFault } from "../faults/fault.ts";
import { allowsBody } from "./delivery.ts";
import { type Message, retryAfter, writeFailure } from "./message.ts";
import type { Delivery, MockReply } from "./reply.ts";

const writePage = (status: number): Message => {
  const title = status === 502 ? "502 Bad Gateway" : String(status);
  return {
    status,
    headers: { "content-type": "text/html; charset=utf-8" },
    body: `<!doctype html>\n<html lang="en"><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\n`,
  };
};

const lowerCaseKeys = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** Writes the message that a fault sends in the service's place; `undefined` when the service answers. */
const writeInstead = (fault: MockFault): Message | undefined => {
  switch (fault.kind) {
    case "html":
      return writePage(fault.status ?? 502);
    case "rate-limit":
      return writeFailure(
        429,
        assumedMessages.rateLimited,
        retryAfter(fault.retryAfterMs ?? 1_000),
      );
    case "status": {
      const { status, headers = {}, body } = fault;
      const standard = writeFailure(status, messageOfStatus(status), lowerCaseKeys(headers));
      const text = typeof body === "string" ? body : JSON.stringify(body);
      return { ...standard, body: text ?? standard.body };
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
    default:
      return fault satisfies never;
  }
};

/** Returns the body as the fault leaves it: cut in half if its kind is "wrong-json". */
const garble = (fault: MockFault, body: string): string => {
  switch (fault.kind) {
    case "wrong-json":
      return body.slice(0, body.length >> 1);
    case "reset":
    case "stall":
    case "refuse":
    case "stall-body":
    case "cut-body":
    case "drip-body":
    case "html":
    case "status":
    case "rate-limit":
    case "latency":
      return body;
    default:
      return fault satisfies never;
  }
};

const whole: Delivery = { how: "whole" };

/** Chooses the delivery. An empty body always arrives whole, because there is nothing to cut. */
const deliveryOf = (fault: MockFault, body: string): Delivery => {
  switch (fault.kind) {
    case "reset":
    case "stall":
    case "refuse":
      return { how: fault.kind };
    case "stall-body":
    case "cut-body": {
      if (body === "") return whole;
      const { length } = new TextEncoder().encode(body);
      // At least one byte must be missing, or the body would arrive whole.
      return { how: fault.kind, afterBytes: Math.min(fault.afterBytes ?? length >> 1, length - 1) };
    }
    case "drip-body":
      if (body === "") return whole;
      return { how: fault.kind, bytes: fault.bytes ?? 1, everyMs: fault.everyMs ?? 100 };
    case "wrong-json":
    case "html":
    case "status":
    case "rate-limit":
    case "latency":
      return whole;
    default:
      return fault satisfies never;
  }
};

/**
 * Composes the reply from an answer and a fault. There is no answer when the fault keeps the
 * request from the service; then the fault writes one.
 *
 * @assumed A23
 */
export const composeReply = (
  method: string,
  answer: Message | undefined,
  fault: MockFault | undefined,
  requestId: string,
): Message & Pick<MockReply, "delivery"> => {
  // This 500 is never sent: a fault without an answer or message sends no response at all.
  const message = (fault && writeInstead(fault)) ?? answer ?? writeFailure(500, "");
  const { status } = message;
  const sent = allowsBody(method, status) ? message.body : "";
  const body = fault === undefined ? sent : garble(fault, sent);
  return {
    status,
    // undici checks idle connections with a timer, so a kept connection would hang under fake timers.
    headers: { "x-request-id": requestId, ...message.headers, connection: "close" },
    body,
    delivery: fault === undefined ? whole : deliveryOf(fault, body),
  };
};
