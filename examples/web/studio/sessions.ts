import { parse } from "hono/utils/cookie";

/** Memory of the people who are signed in. */
export interface Sessions {
  /** Gives the id of the person who sends a request; `undefined` when nobody is signed in. */
  readonly personOf: (request: Request) => string | undefined;
  /** Begins a session, and gives the headers of the answer. */
  readonly begin: (person: string) => Record<string, string>;
  /** Ends the session of a request, and gives the headers of the answer. */
  readonly end: (request: Request) => Record<string, string>;
}

const cookie = "studio-session";
const attributes = "Path=/; HttpOnly; SameSite=Strict";

/**
 * Makes sessions that a cookie names by a random id. They ask for no password, because this is a
 * demonstration. A real app has its own sessions, and `personOf` reads those.
 */
export const createCookieSessions = (): Sessions => {
  const persons = new Map<string, string>();
  const idOf = ({ headers }: Request): string =>
    parse(headers.get("cookie") ?? "", cookie)[cookie] ?? "";
  return {
    personOf: (request) => persons.get(idOf(request)),
    begin: (person) => {
      const id = crypto.randomUUID();
      persons.set(id, person);
      return { "set-cookie": `${cookie}=${id}; ${attributes}` };
    },
    end: (request) => {
      persons.delete(idOf(request));
      return { "set-cookie": `${cookie}=; ${attributes}; Max-Age=0` };
    },
  };
};
