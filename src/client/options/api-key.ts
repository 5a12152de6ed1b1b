/*
 * Options: their types, their documentation and their checks, done once before anything is sent.
 * This folder imports errors, internal and the contract.
 */

import { createRedactLine, describeKind, describeValue } from "../errors/text.ts";
import { createWarner } from "../internal/warn-once.ts";
import { isUnencrypted } from "./base-url.ts";
import type { BaseUrl, ClientConfig, KeyReading } from "./client-options.ts";
import { orFromEnvironment } from "./environment.ts";
import { refuseOption } from "./rules.ts";

/**
 * Describes what is wrong with a key, without quoting any of it. Returns `undefined` if the key can
 * be sent.
 */
const problemOf = (key: string, prefix: string): string | undefined => {
  if (/^bearer /i.test(key))
    return 'begins with "Bearer ", which the client adds: pass the key alone';
  if (!/^[!-~]+$/.test(key)) {
    return "has a space, a line break or a character outside ASCII (read from a file? trim it)";
  }
  if (!key.startsWith(prefix)) return `does not begin with apiKeyPrefix ${describeValue(prefix)}`;
  return undefined;
};

const readGivenKey = async (give: () => unknown, prefix: string): Promise<KeyReading> => {
  try {
    const key = await give();
    if (typeof key !== "string" || key === "") {
      return { problem: `gave ${describeKind(key)}: it must give the key as text` };
    }
    const problem = problemOf(key, prefix);
    return problem === undefined ? { key } : { problem: `gave a key that ${problem}` };
  } catch (cause) {
    return { cause };
  }
};

const warnOnce = /* @__PURE__ */ createWarner();

/** Checks a fixed key at once. A key function is called, and its key checked, at each attempt. */
export const resolveApiKey = (
  given: unknown,
  prefix: string,
  baseUrl: BaseUrl,
  allowBrowserKey: boolean,
): ClientConfig["readKey"] => {
  if (given === null) return () => ({ key: null });
  if (isUnencrypted(baseUrl)) {
    warnOnce(`apiKey goes unencrypted to ${baseUrl.url}: use https.`);
  }
  const more = "; pass null if a proxy adds it";
  const key = orFromEnvironment("createClient", "apiKey", given, "ADGEN_API_KEY", more);
  if (typeof key === "function") return () => readGivenKey(key as () => unknown, prefix);
  if (typeof key !== "string") {
    return refuseOption(`apiKey must be text, a function or null, got ${describeKind(key)}`);
  }
  const problem = problemOf(key, prefix);
  if (problem !== undefined) return refuseOption(`apiKey ${problem}`);
  if ("document" in globalThis && !allowBrowserKey) {
    warnOnce(
      "everybody who visits this page can read apiKey. Let a server of yours add the key " +
        "(apiKey: null), or say that this is meant (allowBrowserKey: true).",
    );
  }
  const reading = { key, redactLine: createRedactLine(new Set([key])) };
  return () => reading;
};
