import { createHmac, timingSafeEqual } from "node:crypto";
import { createClient } from "adgen-sdk";
import { assumedSchemas } from "adgen-sdk/assumed";
import { type AdGenProxy, createProxy } from "adgen-sdk/proxy";
import { createMemoryStore, type RecordStore } from "adgen-sdk/submissions";
import { cookies } from "next/headers";

/** The users; your app has its own. The proxy owns jobs by a user's id, so it must never change. */
export const people = ["Ada", "Grace"];

const sign = (id: string): string => {
  const secret = process.env.SESSION_SECRET;
  if (!secret) throw new Error("SESSION_SECRET is missing in the environment");
  return createHmac("sha256", secret).update(id).digest("base64url");
};

/** Reads who is signed in. Your app asks its library for sessions instead. */
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
// A memory store serves one process. Several, or a serverless platform, need `createRedisStore`.
shared.adgenStore ??= createMemoryStore();
const store = shared.adgenStore;

let made: AdGenProxy | undefined;

/** Gives the proxy. The first request creates it, because a build may run without the key. */
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

/** Creates a client that acts for a person on the server, under the proxy's limits and owners. */
export const createClientFor = (person: string) =>
  createClient({
    baseUrl: "http://proxy", // any: nothing goes there
    apiKey: null,
    fetch: getProxy().fetchAs(person),
    schemas: assumedSchemas,
  });
