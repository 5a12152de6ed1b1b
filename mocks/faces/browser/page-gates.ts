import { createFetchGate, createGate, type Rule } from "../../network/gates.ts";
import { asGate, replace } from "../../network/replace.ts";

/** Reads a URL as the page does; `undefined` for one that cannot be read. */
const readUrl = (url: string | URL): URL | undefined =>
  URL.canParse(url, document.baseURI) ? new URL(url, document.baseURI) : undefined;

/** In a page a service worker stands behind `fetch`, so that nothing has judged a request before. */
const fetchGate = /* @__PURE__ */ createFetchGate(() => false);

/** Address of nothing at all: a request to it fails in the page, as without a network. */
const nowhere = "blob:null/refused-by-the-mock";

/** Arguments of `open`. A third one that is `undefined` is not the same as none. */
type Opening = [method: string, url: string | URL, ...rest: [isAsync?: boolean, ...unknown[]]];

const xhrGate = /* @__PURE__ */ createGate((refusalOf) => {
  const { prototype } = XMLHttpRequest;
  const opened = new WeakMap<XMLHttpRequest, Opening>();
  const placed = [
    replace(prototype, "open", (open) =>
      asGate(function (this: XMLHttpRequest, ...opening: Opening) {
        open.apply(this, opening as never);
        opened.set(this, opening);
      }, open),
    ),
    replace(prototype, "send", (send) =>
      asGate(function (this: XMLHttpRequest, body) {
        const [method, url, ...rest] = opened.get(this) ?? [];
        const isRefused =
          url !== undefined && refusalOf(readUrl(url), rest.length > 0 && !rest[0]) !== undefined;
        if (isRefused) prototype.open.apply(this, [method, nowhere, ...rest] as never);
        send.call(this, body);
      }, send),
    ),
  ];
  return {
    undo: () => placed.map(({ undo }) => undo()).every(Boolean),
    isInFront: () => placed.every(({ isInFront }) => isInFront()),
  };
});

const beaconGate = /* @__PURE__ */ createGate((refusalOf) =>
  replace(navigator, "sendBeacon", (sendBeacon) =>
    asGate(
      (url, data) => refusalOf(readUrl(url)) === undefined && sendBeacon.call(navigator, url, data),
      sendBeacon,
    ),
  ),
);

const gates = [fetchGate, xhrGate, beaconGate];

/** Refuses requests of the page by `fetch`, `XMLHttpRequest` and `sendBeacon`. */
export const refuseInPage = (rule: Rule): void => {
  for (const gate of gates) gate.add(rule);
};

/** Ends a rule. */
export const endInPage = (rule: Rule): void => {
  for (const gate of gates) gate.remove(rule);
};
