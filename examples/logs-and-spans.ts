// Logs as pino writes them, counters by outcome, and spans of OpenTelemetry.
//
//   createClient({ hooks }), inSpan("submit", {}, () => client.jobs.submit(request))
import { type Attributes, SpanStatusCode, trace } from "@opentelemetry/api";
import { type ClientHooks, isAdGenError } from "adgen-sdk";

/** Counts answers and failures by operation and end: `jobs.submit 202`, `jobs.get connection`. */
export const counts = new Map<string, number>();

/** Your logger takes this place: `logger.info` of pino, for example. */
const log = (facts: object): void => console.log(JSON.stringify(facts));

/** A hook gets neither key nor prompt. Count by operation, because paths contain ids of jobs. */
const note = (operation: string, end: string | number, facts: object): void => {
  log({ level: "info", time: Date.now(), operation, ...facts });
  const name = `${operation} ${end}`;
  counts.set(name, (counts.get(name) ?? 0) + 1);
  trace.getActiveSpan()?.addEvent(operation, { ...facts });
};
export const hooks: ClientHooks = {
  // onFailure also gets a refusal, such as a 404, with its code, so don't count it here.
  onResponse: ({ operation, ...facts }) => {
    if (facts.status < 400) note(operation, facts.status, facts);
  },
  onFailure: ({ operation, ...facts }) => note(operation, facts.code, facts),
};

/** Makes a span around a call, with an event for each of its requests. */
export const inSpan = <Job extends { readonly job_id: string; readonly status: string }>(
  name: string,
  attributes: Attributes,
  run: () => Promise<Job>,
): Promise<Job> =>
  trace.getTracer("ads").startActiveSpan(name, { attributes }, async (span) => {
    try {
      const job = await run();
      span.setAttributes({ "adgen.job_id": job.job_id, "adgen.status": job.status });
      return job;
    } catch (error) {
      const { jobId, outcome, code } = isAdGenError(error) ? error : { code: String(error) };
      span.setAttributes({ "adgen.job_id": jobId, "adgen.outcome": outcome });
      span.setStatus({ code: SpanStatusCode.ERROR, message: code });
      throw error;
    } finally {
      span.end();
    }
  });
