import * as z from "zod/mini";
import { successEnvelope } from "../../../../src/contract/envelope.ts";
import { fieldsOnly, optional, text, trueOrFalse } from "../../../options/fields.ts";
import { isRecord } from "../../../options/require.ts";
import type { MockSnapshot } from "../../../world/snapshot.ts";
import { answerUnlessKnown, etagOf } from "../page/answer-unless-known.ts";
import { overview } from "../page/overview.ts";
import { defineRoute, fromText, jsonHeaders } from "./route.ts";

/** Header with the service's time in milliseconds since 1970. */
const timeHeader = "x-mock-now";

/** Answers a snapshot as a file whose name has the mock's time. */
const asFile = (taken: MockSnapshot): Response => {
  const time = new Date(taken.at).toISOString().slice(0, 19).replaceAll(":", "-");
  return new Response(JSON.stringify(taken), {
    headers: {
      ...jsonHeaders,
      "content-type": "application/json",
      "content-disposition": `attachment; filename="adgen-mock-${time}.json"`,
    },
  });
};

/** A snapshot in the envelope that it came in, or without. */
const openEnvelope = (body: unknown) =>
  isRecord(body) && isRecord(body["data"]) ? body["data"] : body;

/** Body that restores a snapshot. The service checks the rest of it. */
const snapshotBody = z.pipe(
  z.transform(openEnvelope),
  z.looseObject(
    {
      version: z.literal(1, { error: "1, the version of a snapshot" }),
      at: z.number({ error: "milliseconds since 1970, in a snapshot" }),
    },
    { error: "a snapshot: a JSON object" },
  ),
);

export const worldRoutes = {
  showOverview: defineRoute({}, ({ service, problems, request }) => {
    const seen = { ...overview(service), problems: problems() };
    const body = JSON.stringify(successEnvelope(seen));
    const headers = {
      "cache-control": "no-store",
      "content-type": "application/json",
      [timeHeader]: String(service.clock.now()),
    };
    return answerUnlessKnown(request, etagOf(body), headers, () => body);
  }),
  takeSnapshot: defineRoute(
    {
      query: fieldsOnly({
        journal: optional(fromText(trueOrFalse), '"false" leaves the journal out'),
        download: optional(text, "Any value: a file without the envelope, as `--state` reads it"),
      }),
    },
    ({ service, query: { journal, download } }) => {
      const taken = service.snapshot({ journal: journal ?? true });
      return download === undefined ? taken : asFile(taken);
    },
  ),
  restoreSnapshot: defineRoute({ body: snapshotBody }, ({ service, body }) => {
    service.restore(body);
    return { restored: true };
  }),
  reset: defineRoute({}, ({ service }) => {
    service.reset();
    return { reset: true };
  }),
};
