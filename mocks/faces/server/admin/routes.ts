import * as z from "zod/mini";
import { placeOf, type RouteId, routeIds } from "../../remote/places.ts";
import { type AdminRoute, defineRoute } from "./route.ts";
import { accountRoutes } from "./routes-of-accounts.ts";
import { clockRoutes } from "./routes-of-clocks.ts";
import { fileRoutes } from "./routes-of-files.ts";
import { jobRoutes } from "./routes-of-jobs.ts";
import { journalRoutes } from "./routes-of-journal.ts";
import { faultRoutes, outcomeRoutes } from "./routes-of-plans.ts";
import { worldRoutes } from "./routes-of-world.ts";

const shapeOf = (schema: z.ZodMiniType) => {
  const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: "input" });
  return shape;
};

const describeRoute = (id: RouteId) => {
  const { input }: AdminRoute = routes[id];
  return {
    ...placeOf(id),
    ...(input.query && { query: shapeOf(input.query) }),
    ...(input.body && { body: shapeOf(input.body) }),
  };
};

type Described = ReturnType<typeof describeRoute>;

/**
 * Everything that the admin can do, by the names in `places.ts`. The router, `GET /__mock/help`
 * and `connectMock` read both tables. A new route is a row in each:
 *
 * ```ts
 * countJobs: defineRoute({ path: ofAccount }, ({ scope }) => ({ count: scope.jobs.count })),
 * ```
 *
 * Put it into the file of its subject. The schemas check the request before the function is called,
 * and give it its types. What it returns is the type that `connectMock` reads.
 */
export const routes = {
  ...accountRoutes,
  ...clockRoutes,
  ...outcomeRoutes,
  ...jobRoutes,
  ...faultRoutes,
  ...journalRoutes,
  ...worldRoutes,
  ...fileRoutes,
  help: defineRoute({}, (): { routes: Described[] } => ({ routes: routeIds.map(describeRoute) })),
} satisfies Record<RouteId, AdminRoute>;
