import { createHmac, timingSafeEqual } from "node:crypto";
import { cookies } from "next/headers";

/** Somebody who can sign in. The id is the owner of the jobs: it never changes. */
export interface Person {
  readonly id: string;
  readonly name: string;
}

// In your app: its users.
export const people: readonly Person[] = [
  { id: "person-1", name: "Ada" },
  { id: "person-2", name: "Grace" },
];

const cookieName = "session";

const sign = (id: string): string => {
  const secret = process.env.SESSION_SECRET;
  if (!secret) throw new Error("SESSION_SECRET is missing in the environment");
  return createHmac("sha256", secret).update(id).digest("base64url");
};

const isSignatureOf = (id: string, signature: string): boolean => {
  const right = Buffer.from(sign(id));
  const given = Buffer.from(signature);
  return right.length === given.length && timingSafeEqual(right, given);
};

/**
 * Reads who is signed in, from the cookie of the request under way. Server components, server
 * actions and route handlers can all call it.
 */
export const readPerson = async (): Promise<Person | undefined> => {
  const [id = "", signature = ""] = (await cookies()).get(cookieName)?.value.split(".") ?? [];
  return isSignatureOf(id, signature) ? people.find((person) => person.id === id) : undefined;
};

/** Signs a person in. In your app: after a password, or by your library for sessions. */
export const startSession = async (id: string): Promise<void> => {
  const secure = process.env.APP_URL?.startsWith("https:") ?? false;
  const options = { httpOnly: true, sameSite: "lax", path: "/", secure } as const;
  (await cookies()).set(cookieName, `${id}.${sign(id)}`, options);
};

/** Signs out. */
export const endSession = async (): Promise<void> => {
  (await cookies()).delete(cookieName);
};
