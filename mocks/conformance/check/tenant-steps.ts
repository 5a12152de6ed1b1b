import { assumedMessages } from "../../domain/messages.ts";
import { items, refused, type Step, status, step } from "./step.ts";

const callersOwn = "4. Endpoints, Brands";

const { jobNotFound, brandNotFound, savedAdNotFound } = assumedMessages;

const ofAnother: readonly [call: `${string} /${string}`, message: string, body?: object][] = [
  ["GET /v1/jobs/{copyJob}", jobNotFound],
  ["GET /v1/brands/{brand}/ads", brandNotFound],
  ["PATCH /v1/brands/{brand}", brandNotFound, { name: "{label}, taken over" }],
  ["POST /v1/saved-ads", brandNotFound, { brand_id: "{brand}" }],
  ["POST /v1/jobs", brandNotFound, { action: "generate-ad-copy", brand_id: "{brand}" }],
  ["DELETE /v1/saved-ads/{ad}", savedAdNotFound],
  ["DELETE /v1/brands/{brand}", brandNotFound],
];

const ownLists = [
  ["jobs", "job_id", "copyJob", "A16"],
  ["brands", "id", "brand", callersOwn],
] as const;

/** One account asks for what another one has. */
export const tenantSteps: readonly Step[] = [
  ...ownLists.map(([name, idField, own, rule]) =>
    step(
      `lists nobody another's ${name}`,
      `GET /v1/${name}`,
      [
        items(
          name,
          `none of the first account's ${name}`,
          (list, memory) => list.every((item) => item[idField] !== memory[own]),
          rule,
        ),
      ],
      { key: "second" },
    ),
  ),
  ...ofAnother.map(([call, message, body]) =>
    step(`lets nobody ask of another account: ${call}`, call, refused(404, "A16", message), {
      key: "second",
      ...(body && { body }),
    }),
  ),
  step("leaves the brand as it was", "GET /v1/brands", [
    status(200, callersOwn),
    items(
      "brands",
      "the brand with its name",
      (list, { brand, label }) =>
        brand === undefined ||
        list.some(({ id, name }) => id === brand && name === `${label}, renamed`),
      callersOwn,
    ),
  ]),
];
