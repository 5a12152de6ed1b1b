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

const whole: Delivery = { how: "whole" };

/** Returns the number of bytes before a body breaks off. At least one byte must be missing. */
const cutAfter = (body: string, afterBytes: number | undefined): number => {
  const { length } = new TextEncoder().encode(body);
  return Math.min(afterBytes ?? length >> 1, length - 1);
};

/** Plays a fault on the service's message. An empty body always arrives whole. */
const play = (fault: MockFault, message: Message): readonly [Message, Delivery] => {
  const { body } = message;
  switch (fault.kind) {
    case "html":
      return [writePage(fault.status ?? 502), whole];
    case "rate-limit": {
      const headers = retryAfter(fault.retryAfterMs ?? 1_000);
      return [writeFailure(429, assumedMessages.rateLimited, headers), whole];
    }
    case "status": {
      const { status, headers = {}, body: given } = fault;
      const standard = writeFailure(status, messageOfStatus(status), lowerCaseKeys(headers));
      const text = typeof given === "string" ? given : JSON.stringify(given);
      return [{ ...standard, body: text ?? standard.body }, whole];
    }
    case "wrong-json":
      return [{ ...message, body: body.slice(0, body.length >> 1) }, whole];
    case "latency":
      return [message, whole];
    case "reset":
    case "stall":
    case "refuse":
      return [message, { how: fault.kind }];
    case "stall-body":
    case "cut-body": {
      const cut = { how: fault.kind, afterBytes: cutAfter(body, fault.afterBytes) };
      return [message, body === "" ? whole : cut];
    }
    case "drip-body": {
      const drip = { how: fault.kind, bytes: fault.bytes ?? 1, everyMs: fault.everyMs ?? 100 };
      return [message, body === "" ? whole : drip];
    }
    default:
      return fault satisfies never;
  }
};

const withoutForbiddenBody = (method: string, message: Message): Message =>
  allowsBody(method, message.status) ? message : { ...message, body: "" };

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
  const own = withoutForbiddenBody(method, answer ?? writeFailure(500, ""));
  const [message, delivery] = fault === undefined ? [own, whole] : play(fault, own);
  const { status, headers, body } = withoutForbiddenBody(method, message);
  return {
    status,
    // undici checks idle connections with a timer, so a kept connection would hang under fake timers.
    headers: { "x-request-id": requestId, ...headers, connection: "close" },
    body,
    delivery,
  };
};
