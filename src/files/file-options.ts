import { oneLine } from "../client/errors/text.ts";
import { abortSignalRule, millisecondsRule, wholeNumberRule } from "../client/options/rules.ts";

/** Limits of each file that is fetched. */
export interface FileOptions {
  /**
   * Largest file in bytes, 1 or more.
   * @default 100000000
   */
  readonly maxBytes?: number | undefined;
  /**
   * Time for one file in milliseconds, from the first request to the last byte, 1 to 2147483647.
   * @default 120000
   */
  readonly timeoutMs?: number | undefined;
  /** Ends the call. A file that is still arriving then fails with `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

export type FileConfig = FileOptions & { readonly maxBytes: number; readonly timeoutMs: number };

/**
 * Removes queries, which may hold signatures, as well as passwords and the content of data URLs.
 */
export const withoutSecrets = (text: string): string =>
  text
    .replaceAll(/\bdata:[^\s"']*/gi, "a data URL")
    .replaceAll(/(:\/\/)[^\s/?#"']*@/g, "$1")
    .replaceAll(/[?#][^\s"')]*/g, "");

/** Names a file in a message. */
export const nameOf = (url: URL): string =>
  url.protocol === "data:" ? "a data URL" : oneLine(withoutSecrets(url.href), 300);

/** Rules of {@link FileOptions}. */
export const fileRules = () => ({
  maxBytes: wholeNumberRule(1, Number.MAX_SAFE_INTEGER),
  timeoutMs: millisecondsRule(),
  signal: abortSignalRule(),
});

export const fileDefaults = { maxBytes: 100_000_000, timeoutMs: 120_000 };
