import { oneLine } from "../errors/text.ts";
import {
  abortSignal,
  checkOptions,
  milliseconds,
  refuseArgument,
  rule,
  wholeNumber,
} from "../options/rules.ts";

/** Limits of each file that is fetched. */
export interface FileOptions {
  /**
   * Origins that files may come from, such as `https://files.example.com`. Name them on a server that
   * can reach an internal network. With them, no redirect is followed.
   * @default every origin, and redirects to http: and https: URLs
   */
  readonly origins?: readonly string[] | undefined;
  /**
   * Largest file in bytes, 1 or more.
   * @default 100000000
   */
  readonly maxBytes?: number | undefined;
  /**
   * Time for one file in milliseconds, from the request to the last byte, 1 to 2147483647.
   * @default 120000
   */
  readonly timeoutMs?: number | undefined;
  /** Ends the call. A file that was not read to its end breaks off. */
  readonly signal?: AbortSignal | undefined;
}

export type FileConfig = FileOptions & { readonly maxBytes: number; readonly timeoutMs: number };

/** Parses a URL here: a small file shared with the client would be one more for it to load. */
export const parseUrl = (text: string, base?: string): URL | undefined =>
  URL.canParse(text, base) ? new URL(text, base) : undefined;

/** Names a file without its query, which may hold a signature. */
export const nameOf = ({ protocol, host, pathname }: URL): string =>
  protocol === "data:" ? "a data URL" : oneLine(`${protocol}//${host}${pathname}`, 300);

const isOrigin = (value: unknown): boolean =>
  typeof value === "string" && parseUrl(value)?.origin === value;

export const resolveFileConfig = (owner: string, options: FileOptions): FileConfig => {
  const rules = {
    origins: rule<readonly string[]>(
      'a list of origins, such as ["https://files.example.com"]',
      (value) => Array.isArray(value) && value.every(isOrigin),
    ),
    maxBytes: wholeNumber(1, Number.MAX_SAFE_INTEGER),
    timeoutMs: milliseconds(),
    signal: abortSignal(),
  };
  const defaults = { maxBytes: 100_000_000, timeoutMs: 120_000 };
  return checkOptions(owner, rules, options, refuseArgument, defaults);
};
