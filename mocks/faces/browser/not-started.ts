import type { Rule } from "../../network/gates.ts";
import type { UnhandledRequests } from "../msw/unhandled-requests.ts";
import { endInPage, refuseInPage } from "./page-gates.ts";

/** Reasons of the refusals. */
const reasons = {
  waits: {
    code: "ERR_MOCK_NOT_LISTENING",
    why: "it has not started yet. Await mock.start() before the page asks the service.",
  },
  blocks: {
    code: "ERR_MOCK_BLOCKING",
    why: "its worker cannot answer an XMLHttpRequest that blocks the page. Send it async.",
  },
  stopped: {
    code: "ERR_MOCK_CLOSED",
    why: "it was stopped. Send the request before that, or let requests out by mock.allowNetwork().",
  },
};

/** Judges of the mocks whose workers answer this page. */
const answering = new Set<UnhandledRequests>();

/**
 * Refuses a page's requests to the service while the worker does not answer them. They would reach
 * the real service, and pay: often by the page's own proxy, so that loopback is no exception.
 */
export const createPageRefusals = (judge: UnhandledRequests) => {
  let state: "waits" | "stopped" = "waits";
  let isAllowed = false;

  const rule: Rule = (url, isBlocking) => {
    if (url === undefined || !judge.isForService(url.href)) return undefined;
    // This mock's worker, or that of another one that has come since.
    const isAnswered = [...answering].some(({ isForService }) => isForService(url.href));
    // Browsers do not show these to a service worker, and the page could not answer them.
    if (isAnswered && !isBlocking) return undefined;
    const { code, why } = reasons[isAnswered ? "blocks" : state];
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
    allowAnswers: (): void => void answering.add(judge),
    /** To be called before the worker stops. */
    refuseAfterStop: (): void => {
      answering.delete(judge);
      state = "stopped";
      if (isAllowed) endInPage(rule);
    },
    /** Lets requests out after `stop`, for good. */
    allow: (): void => {
      isAllowed = true;
      if (state === "stopped") endInPage(rule);
    },
  };
};
