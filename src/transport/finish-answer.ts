import { checkSchema } from "../answer/check-schema.ts";
import { abortedError, type Judged, timeoutError } from "../answer/judge.ts";
import type { Page } from "../contract/page.ts";
import type { Call } from "./call.ts";
import { runWithin } from "./run-within.ts";

/** Checks a single thing, or every item of a list, by the caller's schema. */
const applySchema = async (call: Call, judged: Judged): Promise<unknown> => {
  const { schema } = call.input;
  const { list } = call.endpoint;
  if (schema === undefined) return judged.data;
  if (list === undefined) return checkSchema(schema, judged.data, [], judged);
  const page = judged.data as Page<unknown>;
  const items: unknown[] = [];
  for (const [index, item] of page.items.entries()) {
    items.push(await checkSchema(schema, item, [list, index], judged));
  }
  return { ...page, items };
};

const finish = (call: Call, judged: Judged, leftMs: number): unknown => {
  if (call.input.finish !== undefined) return call.input.finish(judged.data, judged, leftMs);
  return call.input.schema === undefined ? judged.data : applySchema(call, judged);
};

/**
 * Makes the call's result of the judged data: the caller's schemas check it. A schema that is
 * asynchronous gets what is left of the attempt's time, and ends with the caller's signal.
 */
export const finishAnswer = async (
  call: Call,
  judged: Judged,
  leftMs: number,
  timeLabel: string,
): Promise<unknown> => {
  let result = finish(call, judged, leftMs);
  if (!(result instanceof Promise)) return result;
  const stoppedBy = await runWithin(Math.max(1, leftMs), call.options.signal, async () => {
    result = await result;
    return true;
  });
  if (stoppedBy === "signal") throw abortedError(call, judged.fields);
  if (stoppedBy === "time") {
    throw timeoutError(call, judged.fields, timeLabel, "was answered, but your schema timed out");
  }
  return result;
};
