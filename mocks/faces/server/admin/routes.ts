import * as z from "zod/mini";
import { placeOf, type RouteId, routeIds } from "../../remote/places.ts";
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

const describeRoute = (id: RouteId) => {
  const { summary, input }: AdminRoute = routes[id];
  return {
    ...placeOf(id),
    summary,
    ...(input.query && { query: shapeOf(input.query) }),
    ...(input.body && { body: shapeOf(input.body) }),
  };
};

type Described = ReturnType<typeof describeRoute>;

/**
 * Everything that the admin can do, one row a route, with the place of each in `places.ts`. The
 * router, `GET /__mock/help`, the page's footer and `connectMock` read this table. A new route is a
 * new place and a new row:
 *
 * ```ts
 * countJobs: defineRoute({
 *   summary: "Counts the jobs of one account",
 *   input: { path: ofAccount },
 *   run: ({ service, path }) => ({ count: accountAt(service, path.key).jobs.count }),
 * }),
 * ```
 *
 * Put it into the file of its subject. The schemas of `input` check the request before `run` is
 * called, and give `run` its types. What `run` returns is the type that `connectMock` reads.
 */
export const routes = {
  ...accountRoutes,
  ...outcomeRoutes,
  ...jobRoutes,
  ...faultRoutes,
  ...journalRoutes,
  ...worldRoutes,
  ...artworkRoutes,
  ...documentRoutes,
  help: defineRoute({
    summary: "Lists these routes",
    run: (): { routes: Described[] } => ({ routes: routeIds.map(describeRoute) }),
  }),
} satisfies Record<RouteId, AdminRoute>;
