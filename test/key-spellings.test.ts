// A service, or a proxy before it, may echo the key in any spelling. No log may show it.
import { expect, test } from "vitest";
import type { ClientOptions } from "../src/client/index.ts";
import { answerWithText } from "./helpers/answers.ts";
import { clientOver, failing, getJob, submitJob } from "./helpers/calls.ts";
import { rejection } from "./helpers/client.ts";
import type { Answer } from "./helpers/http-server.ts";
import {
  expectNoKey,
  printed,
  rawSpellings,
  spelledKeys,
  spellings,
} from "./helpers/key-spellings.ts";

const json = { "content-type": "application/json" };

/** The envelope of a failure with this raw JSON text. */
const failed = (words: string): string => `{"success":false,"data":null,"error":"${words}"}`;

type Options = Pick<ClientOptions, "apiKey" | "maxRetries">;

/** Returns the printed error that each response causes in the client. */
const errorsOf = async (answers: readonly Answer[], options: Options): Promise<string[]> => {
  const texts: string[] = [];
  for (const answer of answers)
    texts.push(printed((await failing(answer, submitJob, options)).error));
  return texts;
};

const spell = (key: string): string[] => Object.values(spellings).map((write) => write(key));
const spellRaw = (key: string): string[] => Object.values(rawSpellings).map((write) => write(key));
/** The spellings that can stand in a header. */
const spellHeaders = (key: string): string[] => spell(key).map((text) => text.replaceAll("\n", ""));

type Place = (key: string) => Promise<readonly string[]>;

const places: Readonly<Record<string, Place>> = {
  "the message of an error": (apiKey) =>
    errorsOf(
      spellRaw(apiKey).map((words) => answerWithText(401, failed(words), json)),
      { apiKey, maxRetries: 0 },
    ),
  "the actions that a 400 lists": (apiKey) =>
    errorsOf(
      spellRaw(apiKey).map((words) =>
        answerWithText(400, failed(`Invalid action. Supported: ${words}`), json),
      ),
      { apiKey },
    ),
  "the id of a request, and the type of an answer": (apiKey) =>
    errorsOf(
      spellHeaders(apiKey).map((text) =>
        answerWithText(403, "<html>", { "x-request-id": text, "content-type": `text/${text}` }),
      ),
      { apiKey, maxRetries: 0 },
    ),
  "an error that fetch has thrown": async (apiKey) =>
    Promise.all(
      spell(apiKey).map(async (text) => {
        const fetch = () => Promise.reject(Object.assign(new Error(text), { code: text }));
        return printed(await rejection(submitJob(clientOver(fetch, { apiKey, maxRetries: 0 }))));
      }),
    ),
  "an error after another key was sent": (key) =>
    Promise.all(
      spellRaw(key).map(async (words) => {
        const keys = [key];
        const answers = [
          answerWithText(503, "", { "retry-after": "0" }),
          answerWithText(401, failed(words), json),
        ];
        const apiKey = () => keys.shift() ?? "another-key";
        return printed((await failing(answers, getJob, { apiKey, maxRetries: 1 })).error);
      }),
    ),
  "an error of the function that gives the next key": (key) =>
    Promise.all(
      spell(key).map(async (words) => {
        const keys = [key];
        const apiKey = () => keys.shift() ?? Promise.reject(new Error(words));
        const answer = answerWithText(503, "", { "retry-after": "0" });
        return printed((await failing(answer, getJob, { apiKey, maxRetries: 1 })).error);
      }),
    ),
};

const rows = Object.entries(places).flatMap(([place, textsOf]) =>
  spelledKeys.map((key): [place: string, key: string, textsOf: Place] => [place, key, textsOf]),
);

test.each(rows)("no spelling of a key is in %s: %s", async (_, key, textsOf) => {
  const texts = await textsOf(key);
  for (const text of texts) {
    expectNoKey(text, key);
    expect(text).toContain("***");
  }
});
