import type {
  AdGenClient,
  CallOptions,
  CreateBrandRequest,
  CreateSavedAdRequest,
  JobRequest,
} from "adgen-sdk";
import type { EndpointName } from "../contract/endpoint.ts";

/** One thing of the service: a job, a brand or an ad. */
export type Thing = Readonly<Record<string, unknown>>;

/** Makes each call of the API by the client. The service checks the fields of the bodies. */
export const upstreamCalls: Readonly<
  Record<
    EndpointName,
    (client: AdGenClient, id: string, body: Thing, options?: CallOptions) => Promise<unknown>
  >
> = {
  "jobs.submit": ({ jobs }, _, body, options) =>
    jobs.submit(body as unknown as JobRequest, options),
  "jobs.get": ({ jobs }, id, _, options) => jobs.get(id, options),
  "jobs.list": async ({ jobs }, _, __, options) => (await jobs.list({}, options)).items,
  "brands.list": async ({ brands }, _, __, options) =>
    (await brands.list(undefined, options)).items,
  "brands.create": ({ brands }, _, body, options) =>
    brands.create(body as CreateBrandRequest, options),
  "brands.update": ({ brands }, id, body, options) => brands.update(id, body, options),
  "brands.delete": ({ brands }, id, _, options) => brands.delete(id, options),
  "brands.listAds": async ({ brands }, id, _, options) =>
    (await brands.listAds(id, undefined, options)).items,
  "savedAds.create": ({ savedAds }, _, body, options) =>
    savedAds.create(body as CreateSavedAdRequest, options),
  "savedAds.delete": ({ savedAds }, id, _, options) => savedAds.delete(id, options),
};
