/**
 * Makes spans of OpenTelemetry for submissions, polls and waits. Import it once, before the first
 * call; or start with `node --import adgen-sdk/opentelemetry`. It exports nothing.
 *
 * ```ts
 * import "adgen-sdk/opentelemetry";
 * ```
 *
 * @module adgen-sdk/opentelemetry
 */

import { AsyncLocalStorage } from "node:async_hooks";
import { tracingChannel } from "node:diagnostics_channel";
import { context, type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import type { TraceEvents } from "./diagnostics.ts";

type TraceEvent = TraceEvents["adgen-sdk:submit"] &
  TraceEvents["adgen-sdk:poll"] &
  TraceEvents["adgen-sdk:wait"];

const attributesOf = (event: TraceEvent) => ({
  "adgen.job_id": event.jobId,
  "adgen.action": event.action,
  "adgen.status": event.status,
  "adgen.outcome": event.error?.outcome ?? event.outcome,
  "adgen.attempts": event.error?.attempts ?? event.attempts,
  "adgen.polls": event.polls,
  "adgen.credits": event.credits?.amount,
  "adgen.credit_kind": event.credits?.kind,
});

/** Node ends a process whose subscriber throws: a paid job must not be lost to a tracer. */
const harmless =
  <Told, Result>(run: (told: Told) => Result) =>
  (told: Told): Result | undefined => {
    try {
      return run(told);
    } catch (error) {
      console.error("adgen-sdk: a span failed", error);
      return undefined;
    }
  };

/** @returns the channels */
const makeSpans = () => {
  const tracer = trace.getTracer("adgen-sdk");
  const spans = new WeakMap<object, Span>();
  /** The enclosing span: a poll belongs to its wait. */
  const around = new AsyncLocalStorage<Span | undefined>();

  return ["submit", "poll", "wait"].map((name) => {
    const channel = tracingChannel(`adgen-sdk:${name}`);
    const startSpan = (event: unknown): Span => {
      const active = context.active();
      const parent = around.getStore();
      const within = parent === undefined ? active : trace.setSpan(active, parent);
      const span = tracer.startSpan(`adgen ${name}`, {}, within);
      spans.set(event as object, span);
      return span;
    };
    const endSpan = (told: unknown): void => {
      const event = told as TraceEvent;
      const span = spans.get(event);
      for (const [key, value] of Object.entries(attributesOf(event))) {
        if (value !== undefined) span?.setAttribute(key, value);
      }
      const { error } = event;
      if (error) span?.setStatus({ code: SpanStatusCode.ERROR, message: error.code });
      span?.end();
    };
    channel.start.bindStore(around, harmless(startSpan));
    channel.asyncEnd.subscribe(harmless(endSpan));
    return channel;
  });
};

// The package may be loaded twice, as an ES module and by `require`; each call has one span. Bun
// forgets the subscribers of a channel that nobody holds.
const loaded: { [key: symbol]: unknown } = globalThis;
const mark = Symbol.for("adgen-sdk.opentelemetry");
loaded[mark] ??= makeSpans();
