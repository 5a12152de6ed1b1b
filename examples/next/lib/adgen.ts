import { createClient } from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";
import { type AdGenProxy, createProxy } from "adgen-sdk/proxy";
import { createMemoryStore, type RecordStore } from "adgen-sdk/submissions";
import { type Person, readPerson } from "@/lib/session";

// Next loads this module several times in one process: for pages, for route handlers, for actions.
// They must share one store, or a job that an action has submitted is unknown to the route handler.
const shared = globalThis as { adgenStore?: RecordStore };
// It is for one process. Several, or a serverless platform, need Redis: see the README.
shared.adgenStore ??= createMemoryStore();
const store = shared.adgenStore;

const makeProxy = (): AdGenProxy =>
  createProxy({
    authorize: async () => (await readPerson())?.id,
    store,
    endpoints: ["jobs.submit", "jobs.get", "jobs.list"],
    actions: ["generate-ad"],
    limits: [{ windowMs: 86_400_000, imageCredits: 12 }],
  });

let made: AdGenProxy | undefined;

/** Gives the proxy. The first request makes it, because a build may be without the key. */
export const getProxy = (): AdGenProxy => {
  made ??= makeProxy();
  return made;
};

/**
 * Makes a client for server components and server actions, which acts for a person. It calls the
 * proxy in this process, so that owners and limits are those of the browser's calls.
 */
export const createClientFor = (person: Person) =>
  createClient({
    baseUrl: "http://proxy", // any: nothing goes there
    apiKey: null,
    fetch: getProxy().fetchAs(person.id),
    schemas: assumedSchemas,
  });
