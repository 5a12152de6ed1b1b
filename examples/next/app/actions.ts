"use server";

import { toResult } from "adgen-sdk";
import { refresh } from "next/cache";
import { createClientFor } from "@/lib/adgen";
import { describeError } from "@/lib/error-words";
import { endSession, people, readPerson, startSession } from "@/lib/session";

export async function signIn(form: FormData): Promise<void> {
  const person = people.find(({ id }) => id === form.get("person"));
  if (person !== undefined) await startSession(person.id);
}

export async function signOut(): Promise<void> {
  await endSession();
}

/** What the form shows after an order: nothing, or why there was none. */
export type OrderState = { readonly problem?: string };

/**
 * Submits a job for the person who is signed in.
 *
 * Browsers may send a form twice by themselves. The form's call id makes that harmless: the proxy
 * gives the second one the first one's answer, and submits nothing.
 */
export async function orderAds(_before: OrderState, form: FormData): Promise<OrderState> {
  const person = await readPerson();
  if (person === undefined) return { problem: "You are no longer signed in. Sign in again." };
  const request = {
    action: "generate-ad",
    prompt: String(form.get("prompt")),
    variations: Number(form.get("variations")),
  } as const;
  const headers = { "idempotency-key": String(form.get("call-id")) };
  const { error } = await toResult(createClientFor(person).jobs.submit(request, { headers }));
  // The page renders again: with the job, and with a new call id for the next order.
  refresh();
  return error === undefined ? {} : { problem: describeError(error) };
}
