import { items, type Step, status, step } from "./step.ts";
import { invalid } from "./submit-step.ts";

const lists = [
  ["jobs", "/v1/jobs", "4. Endpoints, Jobs"],
  ["brands", "/v1/brands", "4. Endpoints, Brands"],
  ["ads", "/v1/brands/{brand}/ads", "4. Endpoints, Brands"],
] as const;

/** Each list with a limit. */
export const limitSteps: readonly Step[] = lists.flatMap(([name, path, rule]) => [
  step(`lists no more ${name} than it is asked for`, `GET ${path}?limit=1`, [
    status(200, rule),
    items(name, "one item", ({ length }) => length === 1),
  ]),
  ...["0", "-1", "1.5", "many", ""].map((limit) =>
    step(
      `refuses to list ${name} with a limit of "${limit}"`,
      `GET ${path}?limit=${limit}`,
      invalid("limit", "a positive integer", "A4"),
    ),
  ),
]);
