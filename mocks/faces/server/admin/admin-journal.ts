import type { JournalEntry } from "../../../journal/entry.ts";
import type { JournalFilter } from "../../../journal/filter.ts";
import type { MockService } from "../../../service/mock-service.ts";
import {
  actionOf,
  type Fields,
  given,
  isObject,
  keyOf,
  operationOf,
  textOf,
  wholeNumberOf,
} from "./admin-input.ts";
import { type AdminRoute, Refusal } from "./admin-route.ts";

const listedAtMost = 10_000;
const listedUsually = 100;

const faultOf = (fields: Fields) => {
  const { fault } = fields;
  if (fault === false || fault === "false") return false;
  return textOf(fields, "fault") as NonNullable<JournalEntry["fault"]>["kind"] | undefined;
};

/** JSON has no regular expressions: `pathPattern` is the source of one. */
const pathOf = (fields: Fields): string | RegExp | undefined => {
  const pattern = textOf(fields, "pathPattern");
  if (pattern === undefined) return textOf(fields, "path");
  try {
    return new RegExp(pattern);
  } catch {
    throw new Refusal(400, "pathPattern: expected a regular expression");
  }
};

const bodyOf = ({ body }: Fields): Fields | undefined => {
  if (body === undefined || isObject(body)) return body;
  throw new Refusal(400, "body: expected an object");
};

const filterFields = new Set(
  "operation account action method path pathPattern status fault body".split(" "),
);

const readFilter = (service: MockService, fields: Fields): JournalFilter => {
  const unknownField = Object.keys(fields).find((name) => !filterFields.has(name));
  if (unknownField !== undefined) {
    throw new Refusal(400, `${unknownField}: expected one of ${[...filterFields].join(", ")}`);
  }
  return given({
    operation: operationOf(fields),
    account: keyOf(service, fields),
    action: actionOf(fields),
    method: textOf(fields, "method"),
    path: pathOf(fields),
    status: wholeNumberOf(fields, "status", 599),
    fault: faultOf(fields),
    body: bodyOf(fields),
  });
};

/** A failed assertion is an answer: 409, with the text that a test would have failed with. */
const asserted = <Result>(assertion: () => Result): Result => {
  try {
    return assertion();
  } catch (error) {
    throw new Refusal(409, error instanceof Error ? error.message : String(error));
  }
};

export const journalRoutes: readonly AdminRoute[] = [
  {
    method: "GET",
    path: "/__mock/journal",
    summary:
      "the latest requests, oldest first: ?operation=&account=&action=&method=&path=&pathPattern=&status=&fault=&limit=",
    answer: ({ service, query }) => {
      const { limit: asked, ...fields } = Object.fromEntries(query);
      const limit = wholeNumberOf(given({ limit: asked }), "limit", listedAtMost) ?? listedUsually;
      const found = service.journal.find(readFilter(service, fields));
      return { total: found.length, entries: limit === 0 ? [] : found.slice(-limit) };
    },
  },
  {
    method: "GET",
    path: "/__mock/journal/:number",
    summary: "one request with its body and answer",
    answer: ({ service, parts }) => {
      const number = Number(parts["number"]);
      const [entry] = Number.isInteger(number) ? service.journal.find({ number }) : [];
      if (entry === undefined) throw new Refusal(404, "No journal entry with this number");
      return entry;
    },
  },
  {
    method: "POST",
    path: "/__mock/journal/assert",
    summary: "200 when so many requests fit, else 409 that says what was seen: {count, filter?}",
    fields: ["count", "filter"],
    answer: ({ service, body }) => {
      const count = wholeNumberOf(body, "count", Number.MAX_SAFE_INTEGER);
      if (count === undefined) throw new Refusal(400, "count: expected a whole number");
      const { filter = {} } = body;
      if (!isObject(filter)) throw new Refusal(400, "filter: expected an object");
      const wanted = readFilter(service, filter);
      asserted(() => service.journal.assertCount(count, wanted));
      return { count };
    },
  },
  {
    method: "DELETE",
    path: "/__mock/journal",
    summary: "forgets the requests so far",
    answer: ({ service }) => {
      service.journal.clear();
      return { total: 0 };
    },
  },
];
