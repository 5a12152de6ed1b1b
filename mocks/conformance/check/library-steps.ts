import { assumedSchemas } from "../../../src/assumed.ts";
import { assumedMessages } from "../../domain/messages.ts";
import {
  data,
  type Expectation,
  fits,
  items,
  listIn,
  refused,
  type Step,
  status,
  step,
  times,
} from "./step.ts";
import { errors, invalid, taken } from "./submit-step.ts";

const brands = "4. Endpoints, Brands";

const noBrand = refused(404, errors, assumedMessages.brandNotFound);
const noAd = refused(404, errors, assumedMessages.savedAdNotFound);
const notJson = refused(400, errors, assumedMessages.bodyNotJson);
const notObject = refused(400, errors, assumedMessages.bodyNotObject);

const isDeleted = (name: string): Expectation[] => [
  status(200, "A7"),
  data("its id and that it is deleted", "A7", ({ id, deleted }, memory) => {
    return id === memory[name] && deleted === true;
  }),
];

const created: readonly Expectation[] = [status(201, brands), fits("A5", assumedSchemas.brand)];

const brandSteps: readonly Step[] = [
  step("creates a brand", "POST /v1/brands", created, {
    body: { name: "{label}" },
    remembers: "brand",
  }),
  step(
    "keeps whatever a brand is sent with",
    "POST /v1/brands",
    [
      ...created,
      data("the fields that were sent", "A5", ({ colors, site }) => {
        return colors?.[0] === "#ff0000" && site?.url === "https://example.com/ü";
      }),
      times("A5", "created_at", "updated_at"),
    ],
    {
      body: {
        name: "{label}",
        colors: ["#ff0000", "#00ff00"],
        site: { url: "https://example.com/ü" },
      },
      remembers: "richBrand",
    },
  ),
  step("lists brands", "GET /v1/brands", [
    status(200, brands),
    listIn("brands"),
    items(
      "brands",
      "the brand that was created",
      (list, { brand }) => brand === undefined || list.some(({ id }) => id === brand),
    ),
    items(
      "brands",
      "the newest first",
      (list, { richBrand }) => richBrand === undefined || list[0]?.id === richBrand,
    ),
  ]),
  step(
    "updates a brand",
    "PATCH /v1/brands/{brand}",
    [
      status(200, "A7"),
      data("the brand", "A7", ({ id }, { brand }) => id === brand),
      data("the new name", "A5", ({ name }, { label }) => name === `${label}, renamed`),
      data("the new field", "A5", ({ tone }) => tone === "dry"),
    ],
    { body: { name: "{label}, renamed", tone: "dry" } },
  ),
  step(
    "keeps what an update does not name",
    "PATCH /v1/brands/{richBrand}",
    [
      status(200, "A7"),
      data("the fields of before", "A5", ({ colors }) => colors?.length === 2),
      data("the new field", "A5", ({ site }) => site === null),
    ],
    { body: { site: null } },
  ),
  step("updates nothing", "PATCH /v1/brands/{brand}", [status(200, "A7")], { body: {} }),
  step("deletes no unknown brand", "DELETE /v1/brands/unknown", noBrand),
  step("takes a job for a brand", "POST /v1/jobs", [taken("A2")], {
    body: { action: "generate-ad-copy", brand_id: "{brand}" },
  }),
];

const saved: readonly Expectation[] = [
  status(201, "4. Endpoints, Saved ads"),
  fits("A6", assumedSchemas.savedAd),
];

const adSteps: readonly Step[] = [
  step("lists the ads of a brand that has none", "GET /v1/brands/{brand}/ads", [
    status(200, brands),
    listIn("ads"),
    items("ads", "no ads", ({ length }) => length === 0),
  ]),
  step("lists no ads of an unknown brand", "GET /v1/brands/unknown/ads", noBrand),
  step(
    "saves an ad",
    "POST /v1/saved-ads",
    [
      ...saved,
      data("the brand", "A6", ({ brand_id }, { brand }) => brand_id === brand),
      data("what was sent", "A6", ({ headline }) => headline === "Ice-cold"),
      times("A6", "created_at"),
    ],
    { body: { brand_id: "{brand}", headline: "Ice-cold" }, remembers: "ad" },
  ),
  step("saves another", "POST /v1/saved-ads", saved, {
    body: { brand_id: "{brand}", id: "mine" },
    remembers: "secondAd",
  }),
  step("lists the ads of a brand", "GET /v1/brands/{brand}/ads", [
    status(200, brands),
    items("ads", "the ads, the newest first", (list, { ad, secondAd }) =>
      [secondAd, ad].every((id, place) => list[place]?.id === id),
    ),
  ]),
  step("deletes no unknown ad", "DELETE /v1/saved-ads/unknown", noAd),
];

const noName = invalid("name", "string", "A5");

const wrongBodies: readonly [call: `${string} /${string}`, object | string, Expectation[]][] = [
  ["POST /v1/brands", { colors: [] }, noName],
  ["POST /v1/brands", { name: 4 }, noName],
  ["POST /v1/brands", "", notJson],
  ["POST /v1/brands", "[]", notObject],
  ["PATCH /v1/brands/{brand}", { name: 4 }, noName],
  ["PATCH /v1/brands/{brand}", "{", notJson],
  ["PATCH /v1/brands/{brand}", "[]", notObject],
  ["POST /v1/saved-ads", { headline: "Ice-cold" }, invalid("brand_id", "string", "A6")],
  ["POST /v1/saved-ads", "brand_id=1", notJson],
  ["POST /v1/saved-ads", { brand_id: "unknown" }, noBrand],
  ["PATCH /v1/brands/unknown", { name: "{label}" }, noBrand],
];

/** At the end: whatever the others needed goes. */
export const deletionSteps: readonly Step[] = [
  step("deletes an ad", "DELETE /v1/saved-ads/{ad}", isDeleted("ad")),
  step("deletes an ad once", "DELETE /v1/saved-ads/{ad}", noAd),
  step("lists a deleted ad no more", "GET /v1/brands/{brand}/ads", [
    status(200, brands),
    items(
      "ads",
      "the other ad alone",
      (list, { secondAd }) => list.length === 1 && list[0].id === secondAd,
    ),
  ]),
  step("deletes a brand", "DELETE /v1/brands/{brand}", isDeleted("brand")),
  step("deletes a brand once", "DELETE /v1/brands/{brand}", noBrand),
  step("updates no deleted brand", "PATCH /v1/brands/{brand}", noBrand, { body: {} }),
  step(
    "lists no ads of a deleted brand",
    "GET /v1/brands/{brand}/ads",
    refused(404, "A17", assumedMessages.brandNotFound),
  ),
  step("saves no ad to a deleted brand", "POST /v1/saved-ads", noBrand, {
    body: { brand_id: "{brand}" },
  }),
  step(
    "takes no job for a deleted brand",
    "POST /v1/jobs",
    refused(404, "A2", assumedMessages.brandNotFound),
    { body: { action: "generate-ad-copy", brand_id: "{brand}" } },
  ),
  step("deletes the ad of a deleted brand", "DELETE /v1/saved-ads/{secondAd}", [
    status(200, "A17"),
    data("its id", "A7", ({ id }, { secondAd }) => id === secondAd),
  ]),
  step("lists a deleted brand no more", "GET /v1/brands", [
    status(200, brands),
    items("brands", "other brands alone", (list, { brand }) =>
      list.every(({ id }) => id !== brand),
    ),
  ]),
  step("deletes the second brand", "DELETE /v1/brands/{richBrand}", isDeleted("richBrand")),
];

export const librarySteps: readonly Step[] = [
  ...brandSteps,
  ...adSteps,
  ...wrongBodies.map(([call, body, expects]) =>
    step(`refuses ${call} with ${JSON.stringify(body)}`, call, expects, { body }),
  ),
];
