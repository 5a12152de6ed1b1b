import * as z from "zod/mini";
import { helpAnswer } from "./answers.ts";
import { type AdminRoute, defineRoute } from "./route.ts";
import { accountRoutes } from "./routes-of-accounts.ts";
import { artworkRoutes } from "./routes-of-artwork.ts";
import { documentRoutes } from "./routes-of-documents.ts";
import { faultRoutes } from "./routes-of-faults.ts";
import { jobRoutes } from "./routes-of-jobs.ts";
import { journalRoutes } from "./routes-of-journal.ts";
import { outcomeRoutes } from "./routes-of-outcomes.ts";
import { worldRoutes } from "./routes-of-world.ts";

const shapeOf = (schema: z.ZodMiniType) => {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: "input" });
  return shape;
};

const describeRoute = ({ method, path, summary, input: { query, body } }: AdminRoute) => ({
  method,
  path,
  summary,
  ...(query && { query: shapeOf(query) }),
  ...(body && { body: shapeOf(body) }),
});

/**
 * Everything that the admin can do, one row a route. The router, `GET /__mock/help`, the page's
 * footer and `admin-openapi.json` read this table, so that a new route is one new row:
 *
 * ```ts
 * defineRoute("countJobs", "GET /__mock/accounts/:key/jobs/count", {
 *   summary: "Counts the jobs of one account",
 *   input: { path: ofAccount },
 *   answer: z.object({ count: z.number() }),
 *   run: ({ service, path }) => ({ count: accountAt(service, path.key).jobs.count }),
 * });
 * ```
 *
 * Put it into the file of its subject. The schemas of `input` check the request before `run` is
 * called, and give `run` its types. The schema of `answer` describes the data that `run` returns.
 * Then add a request of the route to `test/mocks/admin-openapi.test.ts`, which counts the routes.
 */
export const routes: readonly AdminRoute[] = [
  ...accountRoutes,
  // Before the jobs: "next" is no job's id.
  ...outcomeRoutes,
  ...jobRoutes,
  ...faultRoutes,
  ...journalRoutes,
  ...worldRoutes,
  ...artworkRoutes,
  ...documentRoutes,
  defineRoute("help", "GET /__mock/help", {
    summary: "Lists these routes",
    answer: helpAnswer,
    run: () => ({ routes: routes.map(describeRoute) }),
  }),
];
