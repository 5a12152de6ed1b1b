import type { UnhandledRequests } from "../msw/unhandled-requests.ts";
import { endInPage, type PageRule, refuseInPage } from "./page-guard.ts";

/** Reasons of the refusals. */
const reasons = {
  waits: {
    code: "ERR_MOCK_NOT_LISTENING",
    why: "it has not started yet. Await mock.start() before the page asks the service.",
  },
  blocks: {
    code: "ERR_MOCK_BLOCKING",
    why: "a service worker cannot answer a synchronous XMLHttpRequest. Send it asynchronously.",
  },
  lost: {
    code: "ERR_MOCK_INTERCEPTION_ENDED",
    why: "another service worker has taken over the page. Register no other service worker.",
  },
  stopped: {
    code: "ERR_MOCK_CLOSED",
    why: "it was stopped. Send the request before that, or let requests out by mock.allowNetwork().",
  },
  replaced: {
    code: "ERR_MOCK_CLOSED",
    why: "another mock worker has started in this page, which ended it. Use one mock in a page.",
  },
};

/** Mocks whose workers answer this page, each with whether its worker still gets the requests. */
const answering = new Map<UnhandledRequests, () => boolean>();

/**
 * Refuses a page's requests to the service while the worker does not answer them. They would reach
 * the real service, and pay: often by the page's own proxy, so that loopback is no exception.
 */
export const createPageRefusals = (judge: UnhandledRequests) => {
  let state: "waits" | "stopped" | "replaced" = "waits";
  let isAllowed = false;

  const reasonFor = (url: URL, isBlocking?: boolean): keyof typeof reasons | undefined => {
    // This mock's worker, or that of another one that has come since.
    const found = [...answering].find(([{ isForService }]) => isForService(url.href));
    if (found === undefined) return state;
    const [, isInControl] = found;
    if (!isInControl()) return "lost";
    // Browsers do not show these to a service worker, and the page could not answer them.
    return isBlocking ? "blocks" : undefined;
  };

  const rule: PageRule = (url, isBlocking) => {
    if (!judge.isForService(url.href)) return undefined;
    const reason = reasonFor(url, isBlocking);
    if (reason === undefined) return undefined;
    const { code, why } = reasons[reason];
    const error = new Error(`The mock refused a request to ${url.host}: ${why}`);
    // A page sees "Failed to fetch", or less: the console gives the reason.
    console.error(error.message);
    return Object.assign(error, { code });
  };

  refuseInPage(rule);

  return {
    /** To be called before the worker starts. */
    refuseBeforeStart: (): void => {
      state = "waits";
      refuseInPage(rule);
    },
    /** To be called when the worker gets the page's requests. */
    allowAnswers: (isInControl: () => boolean): void => void answering.set(judge, isInControl),
    /** To be called before the worker stops. */
    refuseAfterStop: (reason: "stopped" | "replaced"): void => {
      answering.delete(judge);
      state = reason;
      if (isAllowed) endInPage(rule);
    },
    /** Lets requests out after `stop`, for good. */
    allow: (): void => {
      isAllowed = true;
      if (state !== "waits") endInPage(rule);
    },
  };
};
