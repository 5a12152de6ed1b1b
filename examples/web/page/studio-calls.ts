import type { Balance } from "../studio/budget.ts";
import type { Person } from "../studio/people.ts";

/** An answer of the studio's own server that is no success. */
export class StudioError extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`The studio's server answered ${status}`);
    this.status = status;
  }
}

const ask = async (method: string, path: string): Promise<unknown> => {
  const response = await fetch(`/studio/${path}`, { method });
  if (!response.ok) throw new StudioError(response.status);
  return response.json();
};

/** Reads who is signed in; `null` when nobody is. */
export const readSession = () => ask("GET", "session") as Promise<Person | null>;

/** Signs a person in. */
export const signIn = (id: string) => ask("PUT", `session/${id}`) as Promise<Person>;

/** Signs out. */
export const signOut = () => ask("DELETE", "session");

/** Reads the limits of the person who is signed in, and the credits of the account. */
export const readBalance = () => ask("GET", "balance") as Promise<Balance>;

/** Lets the studio lose the answer to the next submission. */
export const loseNextAnswer = () => ask("POST", "lose-next-answer");
