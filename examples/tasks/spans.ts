// A span of OpenTelemetry for each submission, poll and wait. Import it before the first call.
import { tracingChannel } from "node:diagnostics_channel";
import { type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import type { TraceEvents } from "adgen-sdk";

const tracer = trace.getTracer("adgen-sdk");
const spans = new WeakMap<object, Span>();

for (const name of ["submit", "poll", "wait"]) {
  const { start, asyncEnd } = tracingChannel(`adgen-sdk:${name}`);
  start.subscribe((told) => spans.set(told as object, tracer.startSpan(`adgen ${name}`)));
  asyncEnd.subscribe((told) => {
    const end = told as TraceEvents["adgen-sdk:submit"] &
      TraceEvents["adgen-sdk:poll"] &
      TraceEvents["adgen-sdk:wait"];
    const span = spans.get(end);
    span?.setAttribute("adgen.job_id", String(end.jobId));
    for (const key of ["action", "status", "outcome", "attempts", "polls"] as const) {
      const value = end[key];
      if (value !== undefined) span?.setAttribute(`adgen.${key}`, value);
    }
    if (end.credits) span?.setAttribute("adgen.credits", end.credits.amount);
    if (end.error) span?.setStatus({ code: SpanStatusCode.ERROR, message: end.error.code });
    span?.end();
  });
}
