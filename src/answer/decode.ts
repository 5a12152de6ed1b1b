import { readPage } from "../contract/page.ts";
import { findIssues } from "../contract/schema.ts";
import type { ErrorFields } from "../errors/error-fields.ts";
import { decodeError, describeIssues } from "../errors/make-error.ts";
import { describeKind } from "../errors/text.ts";
import type { Call } from "../transport/call.ts";

const maxIssues = 10;

/**
 * Checks the data of a success by the contract, which only looks: what it does not name stays as
 * received. Gives the data, or the page of a list.
 */
export const decodeData = (call: Call, fields: ErrorFields, data: unknown): unknown => {
  const { answer, list } = call.endpoint;
  const page = list === undefined ? { items: [data] } : readPage(data, list);
  if (page === undefined) {
    throw decodeError(call, "data", `${fields.status}: its data holds no list "${list}"`, fields);
  }
  for (const [index, item] of page.items.entries()) {
    const found = findIssues(answer, item, list === undefined ? [] : [list, index]);
    if (found.length === 0) continue;
    const issues = found.slice(0, maxIssues).map(({ path, message, input }) => ({
      path,
      message: `${message}, got ${describeKind(input)}`,
    }));
    const what = `data that is not what was asked for: ${describeIssues(issues)}`;
    throw decodeError(call, "data", what, { ...fields, issues });
  }
  return list === undefined ? data : page;
};
