import { assumedSchemas } from "../../../src/assumed.ts";
import { assumedMessages } from "../../domain/messages.ts";
import {
  type Answer,
  assumed,
  data,
  documented,
  type Expectation,
  fits,
  refused,
  type Step,
  status,
  step,
} from "./step.ts";

const brands = documented("4. Endpoints, Brands");
const savedAds = documented("4. Endpoints, Saved ads");
const errors = documented("7. Errors");

const invalid = (name: string, expected: string, assumption: "A4" | "A5" | "A6"): Expectation[] =>
  refused(400, assumed(assumption), assumedMessages.invalidParameter(name, `expected ${expected}`));

const noBrand = refused(404, errors, assumedMessages.brandNotFound);
const noAd = refused(404, errors, assumedMessages.savedAdNotFound);
const notJson = refused(400, errors, assumedMessages.bodyNotJson);
const notObject = refused(400, errors, assumedMessages.bodyNotObject);

const listOf = (value: unknown): Answer["data"][] => (Array.isArray(value) ? value : []);

const idOf = ({ id }: Answer["data"]): unknown => id;

const isDeleted = (name: string): Expectation[] => [
  status(200, assumed("A7")),
  data("its id and that it is deleted", assumed("A7"), ({ id, deleted }, memory) => {
    return id === memory[name] && deleted === true;
  }),
];

const created: readonly Expectation[] = [status(201, brands), fits("A5", assumedSchemas.brand)];

const brandSteps: readonly Step[] = [
  step("creates a brand", "POST /v1/brands", created, {
    body: { name: "{label}" },
    remembers: { brand: idOf },
  }),
  step(
    "keeps whatever a brand is sent with",
    "POST /v1/brands",
    [
      ...created,
      data("the fields that were sent", assumed("A5"), ({ colors, site }) => {
        return colors?.[0] === "#ff0000" && site?.url === "https://example.com/ü";
      }),
      data("when it was created and changed", assumed("A5"), (brand) => {
        return [brand.created_at, brand.updated_at].every(
          (time) => !Number.isNaN(Date.parse(time)),
        );
      }),
    ],
    {
      body: {
        name: "{label}",
        colors: ["#ff0000", "#00ff00"],
        site: { url: "https://example.com/ü" },
      },
      remembers: { richBrand: idOf },
    },
  ),
  step(
    "gives its own id and times, whatever is sent",
    "POST /v1/brands",
    [
      status(201, brands),
      data("an id of the service's own", assumed("A5"), ({ id }) => id !== "mine"),
      data("a time of the service's own", assumed("A5"), (brand) => brand.created_at !== "then"),
    ],
    { body: { name: "{label}", id: "mine", created_at: "then" }, remembers: { ownBrand: idOf } },
  ),
  step("creates no brand without a name", "POST /v1/brands", invalid("name", "string", "A5"), {
    body: { colors: [] },
  }),
  step(
    "creates no brand whose name is a number",
    "POST /v1/brands",
    invalid("name", "string", "A5"),
    {
      body: { name: 4 },
    },
  ),
  step("creates no brand from nothing", "POST /v1/brands", notJson, { body: "" }),
  step("creates no brand from a list", "POST /v1/brands", notObject, { body: "[]" }),
  step("lists brands", "GET /v1/brands", [
    status(200, brands),
    data("the list in brands", assumed("A4"), ({ brands: list }) => Array.isArray(list)),
    data("the brand that was created", assumed("A4"), ({ brands: list }, { brand }) =>
      brand === undefined ? true : listOf(list).some(({ id }) => id === brand),
    ),
    data("the newest first", assumed("A4"), ({ brands: list }, { ownBrand }) =>
      ownBrand === undefined ? true : listOf(list)[0]?.id === ownBrand,
    ),
  ]),
  step("lists no more brands than it is asked for", "GET /v1/brands?limit=2", [
    status(200, brands),
    data("two brands", assumed("A4"), ({ brands: list }) => listOf(list).length === 2),
  ]),
  step(
    "lists no brands up to a limit of none",
    "GET /v1/brands?limit=0",
    invalid("limit", "a positive integer", "A4"),
  ),
  step(
    "updates a brand",
    "PATCH /v1/brands/{brand}",
    [
      status(200, assumed("A7")),
      data("the brand", assumed("A7"), ({ id }, { brand }) => id === brand),
      data("the new name", assumed("A5"), ({ name }, { label }) => name === `${label}, renamed`),
      data("the new field", assumed("A5"), ({ tone }) => tone === "dry"),
    ],
    { body: { name: "{label}, renamed", tone: "dry" } },
  ),
  step(
    "keeps what an update does not name",
    "PATCH /v1/brands/{richBrand}",
    [
      status(200, assumed("A7")),
      data("the fields of before", assumed("A5"), ({ colors }) => colors?.length === 2),
      data("the new field", assumed("A5"), ({ site }) => site === null),
    ],
    { body: { site: null } },
  ),
  step("updates nothing", "PATCH /v1/brands/{brand}", [status(200, assumed("A7"))], { body: {} }),
  step(
    "refuses a name that is a number",
    "PATCH /v1/brands/{brand}",
    invalid("name", "string", "A5"),
    { body: { name: 4 } },
  ),
  step("refuses an update that is no JSON", "PATCH /v1/brands/{brand}", notJson, { body: "{" }),
  step("refuses an update that is a list", "PATCH /v1/brands/{brand}", notObject, { body: "[]" }),
  step("updates no unknown brand", "PATCH /v1/brands/unknown", noBrand, {
    body: { name: "{label}" },
  }),
  step("deletes no unknown brand", "DELETE /v1/brands/unknown", noBrand),
  step("takes a job for a brand", "POST /v1/jobs", [status(202, assumed("A2"))], {
    body: { action: "generate-ad-copy", brand_id: "{brand}" },
  }),
];

const adSteps: readonly Step[] = [
  step("lists the ads of a brand that has none", "GET /v1/brands/{brand}/ads", [
    status(200, brands),
    data("an empty list in ads", assumed("A4"), ({ ads }) => ads?.length === 0),
  ]),
  step("lists no ads of an unknown brand", "GET /v1/brands/unknown/ads", noBrand),
  step(
    "saves an ad",
    "POST /v1/saved-ads",
    [
      status(201, savedAds),
      fits("A6", assumedSchemas.savedAd),
      data("the brand", assumed("A6"), ({ brand_id }, { brand }) => brand_id === brand),
      data("what was sent", assumed("A6"), ({ headline }) => headline === "Ice-cold"),
      data("when it was saved", assumed("A6"), (ad) => !Number.isNaN(Date.parse(ad.created_at))),
    ],
    { body: { brand_id: "{brand}", headline: "Ice-cold" }, remembers: { ad: idOf } },
  ),
  step(
    "saves another",
    "POST /v1/saved-ads",
    [status(201, savedAds), fits("A6", assumedSchemas.savedAd)],
    {
      body: { brand_id: "{brand}", id: "mine" },
      remembers: { secondAd: idOf },
    },
  ),
  step("saves no ad to an unknown brand", "POST /v1/saved-ads", noBrand, {
    body: { brand_id: "unknown" },
  }),
  step("saves no ad to no brand", "POST /v1/saved-ads", invalid("brand_id", "string", "A6"), {
    body: { headline: "Ice-cold" },
  }),
  step("saves no ad that is no JSON", "POST /v1/saved-ads", notJson, { body: "brand_id=1" }),
  step("lists the ads of a brand", "GET /v1/brands/{brand}/ads", [
    status(200, brands),
    data("the ads, the newest first", assumed("A4"), ({ ads }, { ad, secondAd }) => {
      return [secondAd, ad].every((id, place) => listOf(ads)[place]?.id === id);
    }),
  ]),
  step("lists no more ads than it is asked for", "GET /v1/brands/{brand}/ads?limit=1", [
    status(200, brands),
    data("one ad", assumed("A4"), ({ ads }) => listOf(ads).length === 1),
  ]),
  step(
    "lists no ads up to a limit that is a word",
    "GET /v1/brands/{brand}/ads?limit=all",
    invalid("limit", "a positive integer", "A4"),
  ),
  step("deletes no unknown ad", "DELETE /v1/saved-ads/unknown", noAd),
];

/** At the end: whatever the others needed goes. */
export const deletionSteps: readonly Step[] = [
  step("deletes an ad", "DELETE /v1/saved-ads/{ad}", isDeleted("ad")),
  step("deletes an ad once", "DELETE /v1/saved-ads/{ad}", noAd),
  step("lists a deleted ad no more", "GET /v1/brands/{brand}/ads", [
    status(200, brands),
    data("the other ad alone", assumed("A4"), ({ ads }, { secondAd }) => {
      return listOf(ads).length === 1 && ads[0].id === secondAd;
    }),
  ]),
  step("deletes a brand", "DELETE /v1/brands/{brand}", isDeleted("brand")),
  step("deletes a brand once", "DELETE /v1/brands/{brand}", noBrand),
  step("updates no deleted brand", "PATCH /v1/brands/{brand}", noBrand, { body: {} }),
  step(
    "lists no ads of a deleted brand",
    "GET /v1/brands/{brand}/ads",
    refused(404, assumed("A17"), assumedMessages.brandNotFound),
  ),
  step("saves no ad to a deleted brand", "POST /v1/saved-ads", noBrand, {
    body: { brand_id: "{brand}" },
  }),
  step(
    "takes no job for a deleted brand",
    "POST /v1/jobs",
    refused(404, assumed("A2"), assumedMessages.brandNotFound),
    { body: { action: "generate-ad-copy", brand_id: "{brand}" } },
  ),
  step("deletes the ad of a deleted brand", "DELETE /v1/saved-ads/{secondAd}", [
    status(200, assumed("A17")),
    data("its id", assumed("A7"), ({ id }, { secondAd }) => id === secondAd),
  ]),
  step("lists a deleted brand no more", "GET /v1/brands", [
    status(200, brands),
    data("other brands alone", assumed("A4"), ({ brands: list }, { brand }) =>
      listOf(list).every(({ id }) => id !== brand),
    ),
  ]),
  step("deletes the second brand", "DELETE /v1/brands/{richBrand}", isDeleted("richBrand")),
  step("deletes the third brand", "DELETE /v1/brands/{ownBrand}", isDeleted("ownBrand")),
];

export const librarySteps: readonly Step[] = [...brandSteps, ...adSteps];
