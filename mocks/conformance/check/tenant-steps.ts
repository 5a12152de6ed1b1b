import { assumedMessages } from "../../domain/messages.ts";
import {
  type Answer,
  assumed,
  data,
  documented,
  refused,
  type Step,
  status,
  step,
} from "./step.ts";

const second = { key: "second" } as const;
const notFound = (message: string) => refused(404, assumed("A16"), message);
const noBrand = notFound(assumedMessages.brandNotFound);
const callersOwn = documented("4. Endpoints, Brands");

const lacks = (list: unknown, field: string, id: string | undefined): boolean =>
  !Array.isArray(list) || list.every((item: Answer["data"]) => item?.[field] !== id);

/** One account asks for what another one has. */
export const tenantSteps: readonly Step[] = [
  step(
    "shows nobody another's job",
    "GET /v1/jobs/{copyJob}",
    notFound(assumedMessages.jobNotFound),
    second,
  ),
  step(
    "lists nobody another's jobs",
    "GET /v1/jobs",
    [
      status(200, documented("4. Endpoints, Jobs")),
      data("none of the first account's jobs", assumed("A16"), ({ jobs }, { copyJob }) =>
        lacks(jobs, "job_id", copyJob),
      ),
    ],
    second,
  ),
  step(
    "lists nobody another's brands",
    "GET /v1/brands",
    [
      status(200, callersOwn),
      data("none of the first account's brands", callersOwn, ({ brands }, { brand }) =>
        lacks(brands, "id", brand),
      ),
    ],
    second,
  ),
  step("lists nobody the ads of another's brand", "GET /v1/brands/{brand}/ads", noBrand, second),
  step("lets nobody update another's brand", "PATCH /v1/brands/{brand}", noBrand, {
    ...second,
    body: { name: "{label}, taken over" },
  }),
  step("lets nobody save to another's brand", "POST /v1/saved-ads", noBrand, {
    ...second,
    body: { brand_id: "{brand}" },
  }),
  step("lets nobody use another's brand", "POST /v1/jobs", noBrand, {
    ...second,
    body: { action: "generate-ad-copy", brand_id: "{brand}" },
  }),
  step(
    "lets nobody delete another's ad",
    "DELETE /v1/saved-ads/{ad}",
    notFound(assumedMessages.savedAdNotFound),
    second,
  ),
  step("lets nobody delete another's brand", "DELETE /v1/brands/{brand}", noBrand, second),
  step("leaves the brand as it was", "GET /v1/brands", [
    status(200, callersOwn),
    data("the brand with its name", callersOwn, ({ brands }, { brand, label }) =>
      brand === undefined
        ? true
        : (brands as Answer["data"][]).some(
            ({ id, name }) => id === brand && name === `${label}, renamed`,
          ),
    ),
  ]),
];
