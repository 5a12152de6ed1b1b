import type { JobRequest } from "adgen-sdk";

/** Part of a request that its card shows. */
export interface Note {
  readonly prompt?: string | undefined;
  readonly variations?: number | undefined;
  readonly duration?: number | undefined;
}

/**
 * Notes of what was asked for, by job: the service's answers do not repeat the prompt. They live as
 * long as the tab, and each person has their own.
 */
const keyOf = (person: string, jobId: string): string => `studio:${person}:${jobId}`;

/** Keeps what a job was asked for. */
export const keepNote = (person: string, jobId: string, request: JobRequest): void => {
  const { prompt, variations, duration }: Note = request;
  const note: Note = { prompt, variations, duration };
  sessionStorage.setItem(keyOf(person, jobId), JSON.stringify(note));
};

/** Reads what a job was asked for; empty when another tab has submitted it. */
export const readNote = (person: string, jobId: string): Note =>
  JSON.parse(sessionStorage.getItem(keyOf(person, jobId)) ?? "{}");
