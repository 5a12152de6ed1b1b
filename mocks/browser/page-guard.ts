import { markRefused } from "../guard/refused.ts";
import { readPageUrl, refuseByFetch } from "../guard/refusing-fetch.ts";
import { type Replaced, replaceProperty } from "../guard/replace-property.ts";

/**
 * Returns why a request may not be sent; `undefined` if it may.
 *
 * @param isBlocking - Whether it is a synchronous `XMLHttpRequest`
 */
export type PageRule = (url: URL, isBlocking?: boolean) => Error | undefined;

const rules = new Set<PageRule>();

const refusalOf = (url: URL | undefined, isBlocking?: boolean): Error | undefined => {
  if (url === undefined) return undefined;
  for (const rule of rules) {
    const error = rule(url, isBlocking);
    if (error !== undefined) return markRefused(error, url.href);
  }
  return undefined;
};

/** A URL without content: a request to it fails within the page, as without a network. */
const nowhere = "blob:null/refused-by-the-mock";

/** Arguments of `open`. Passing `undefined` as the third one isn't the same as leaving it out. */
type OpenArguments = [
  method: string,
  url: string | URL,
  ...rest: [isAsync?: boolean, ...unknown[]],
];

const guardXhr = (): readonly Replaced[] => {
  const { prototype } = XMLHttpRequest;
  const opened = new WeakMap<XMLHttpRequest, OpenArguments>();
  return [
    replaceProperty(
      prototype,
      "open",
      (open) =>
        function (this: XMLHttpRequest, ...opening: OpenArguments) {
          open.apply(this, opening as never);
          opened.set(this, opening);
        },
    ),
    replaceProperty(
      prototype,
      "send",
      (send) =>
        function (this: XMLHttpRequest, body) {
          const [method, url, ...rest] = opened.get(this) ?? [];
          const isRefused =
            url !== undefined &&
            refusalOf(readPageUrl(url), rest.length > 0 && !rest[0]) !== undefined;
          if (isRefused) prototype.open.apply(this, [method, nowhere, ...rest] as never);
          send.call(this, body);
        },
    ),
  ];
};

const guardBeacons = (): Replaced =>
  replaceProperty(
    navigator,
    "sendBeacon",
    (sendBeacon) => (url, data) =>
      refusalOf(readPageUrl(url)) === undefined && sendBeacon.call(navigator, url, data),
  );

/** The replaced functions, newest first. Other code may have replaced them since. */
let placed: readonly Replaced[] = [];

/** Applies a rule to the page's requests by `fetch`, `XMLHttpRequest` and `sendBeacon`. */
export const refuseInPage = (rule: PageRule): void => {
  rules.add(rule);
  if (placed.length > 0 && placed.every(({ isInFront }) => isInFront())) return;
  placed = [refuseByFetch(refusalOf), guardBeacons(), ...guardXhr(), ...placed];
};

/** Ends a rule. */
export const endInPage = (rule: PageRule): void => {
  rules.delete(rule);
  if (rules.size === 0) placed = placed.filter(({ undo }) => !undo());
};
