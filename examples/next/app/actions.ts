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

/** State of the form after an order: empty, or why there was none, and the text again. */
export interface OrderState {
  readonly problem?: string;
  readonly prompt?: string;
}

/**
 * Submits a job for the person who is signed in.
 *
 * Browsers may send a form twice by themselves. The form's call id makes that harmless: the proxy
 * gives the second one the first one's answer, and submits nothing.
 */
export async function orderAds(_before: OrderState, form: FormData): Promise<OrderState> {
  const prompt = String(form.get("prompt"));
  const variations = Number(form.get("variations"));
  const person = await readPerson();
  if (person === undefined) return { problem: "You are no longer signed in.", prompt };
  const request = { action: "generate-ad", prompt, variations } as const;
  const headers = { "idempotency-key": String(form.get("call-id")) };
  const { error } = await toResult(createClientFor(person).jobs.submit(request, { headers }));
  // The page renders again: with the job, and with a new call id for the next order.
  refresh();
  return error === undefined ? {} : { problem: describeError(error), prompt };
}
