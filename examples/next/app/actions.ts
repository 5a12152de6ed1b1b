"use server";

import { isAdGenError } from "adgen-sdk";
import { refresh } from "next/cache";
import { cookies } from "next/headers";
import { createClientFor, people, readPerson, startSession } from "@/lib/adgen";

export async function signIn(form: FormData): Promise<void> {
  const person = people.find((name) => name === form.get("person"));
  if (person !== undefined) await startSession(person);
}

export async function signOut(): Promise<void> {
  (await cookies()).delete("session");
}

/** Orders an ad. Returns an empty text, or a message for the visitor when the order failed. */
export async function orderAd(_before: string, form: FormData): Promise<string> {
  const person = await readPerson();
  if (person === undefined) return "You are no longer signed in.";
  const request = { action: "generate-ad", prompt: String(form.get("prompt")) } as const;
  try {
    // Browsers may send a form twice by themselves. Its id makes that harmless.
    await createClientFor(person).jobs.submit(request, { once: String(form.get("order")) });
    return "";
  } catch (error) {
    if (!isAdGenError(error)) throw error;
    // "Try again" would invite them to pay twice.
    if (error.outcome === "unknown") return "It may be ordered already: look at the list.";
    return error.code === "payment_required" ? "Your limit is reached." : "That did not work.";
  } finally {
    refresh(); // with the job, and with a new id for the next order
  }
}
