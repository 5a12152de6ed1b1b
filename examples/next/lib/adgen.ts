import { createHmac, timingSafeEqual } from "node:crypto";
import { createClient } from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";
import { type AdGenProxy, createProxy } from "adgen-sdk/proxy";
import { createMemoryStore, type RecordStore } from "adgen-sdk/submissions";
import { cookies } from "next/headers";

/** In your app: its users. The id is the owner of the jobs: it never changes. */
export const people = ["Ada", "Grace"];

const sign = (id: string): string => {
  const secret = process.env.SESSION_SECRET;
  if (!secret) throw new Error("SESSION_SECRET is missing in the environment");
  return createHmac("sha256", secret).update(id).digest("base64url");
};

/** Reads who is signed in. In your app: your library for sessions. */
export const readPerson = async (): Promise<string | undefined> => {
  const [id = "", signature = ""] = (await cookies()).get("session")?.value.split(".") ?? [];
  const [right, given] = [Buffer.from(sign(id)), Buffer.from(signature)];
  return right.length === given.length && timingSafeEqual(right, given) ? id : undefined;
};

export const startSession = async (id: string): Promise<void> => {
  const options = { httpOnly: true, sameSite: "lax", path: "/" } as const; // and secure, over https
  (await cookies()).set("session", `${id}.${sign(id)}`, options);
};

// Next loads this module several times in one process: for pages, for route handlers, for actions.
// They must share one store, or a job that an action has submitted is unknown to the route handler.
const shared = globalThis as { adgenStore?: RecordStore };
// It is for one process. Several, or a serverless platform, need `createRedisStore`.
shared.adgenStore ??= createMemoryStore();
const store = shared.adgenStore;

let made: AdGenProxy | undefined;

/** Gives the proxy. The first request makes it, because a build may be without the key. */
export const getProxy = (): AdGenProxy => {
  made ??= createProxy({
    authorize: readPerson,
    store,
    endpoints: ["jobs.submit", "jobs.get", "jobs.list"],
    actions: ["generate-ad"],
    limits: { day: { imageCredits: 12 } },
  });
  return made;
};

/** Makes a client for server code, which acts for a person: the proxy's limits and owners hold. */
export const createClientFor = (person: string) =>
  createClient({
    baseUrl: "http://proxy", // any: nothing goes there
    apiKey: null,
    fetch: getProxy().fetchAs(person),
    schemas: assumedSchemas,
  });
