import type { UnhandledRequests } from "../msw/unhandled-requests.ts";
import { endInPage, type PageRule, refuseInPage } from "./page-guard.ts";

/** Why the mock refuses a request of the page. */
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

/** The mocks whose workers answer this page, with functions that return whether they still do. */
const answering = new Map<UnhandledRequests, () => boolean>();

/**
 * Refuses the page's requests to the service while the worker doesn't answer them, because they would
 * cost credits. Loopback is no exception: the page's own proxy often runs there.
 */
export const createPageRefusals = (judge: UnhandledRequests) => {
  let state: "waits" | "stopped" | "replaced" = "waits";
  let isAllowed = false;

  const reasonFor = (url: URL, isBlocking?: boolean): keyof typeof reasons | undefined => {
    // The worker may belong to this mock, or to a mock that has started since.
    const found = [...answering].find(([{ isForService }]) => isForService(url.href));
    if (found === undefined) return state;
    const [, isInControl] = found;
    if (!isInControl()) return "lost";
    // Browsers don't pass synchronous requests to a service worker, and a waiting page can't answer.
    return isBlocking ? "blocks" : undefined;
  };

  const rule: PageRule = (url, isBlocking) => {
    if (!judge.isForService(url.href)) return undefined;
    const reason = reasonFor(url, isBlocking);
    if (reason === undefined) return undefined;
    const { code, why } = reasons[reason];
    const error = new Error(`The mock refused a request to ${url.host}: ${why}`);
    // An `XMLHttpRequest` and `sendBeacon` give the page no reason, so print it.
    console.error(error.message);
    return Object.assign(error, { code });
  };

  refuseInPage(rule);

  return {
    /** Call this before the worker starts. */
    refuseBeforeStart: (): void => {
      state = "waits";
      refuseInPage(rule);
    },
    /** Call this when the worker gets the page's requests. */
    allowAnswers: (isInControl: () => boolean): void => void answering.set(judge, isInControl),
    /** Call this before the worker stops. */
    refuseAfterStop: (reason: "stopped" | "replaced"): void => {
      answering.delete(judge);
      state = reason;
      if (isAllowed) endInPage(rule);
    },
    /** Lets requests out after `stop`. This can't be undone. */
    allow: (): void => {
      isAllowed = true;
      if (state !== "waits") endInPage(rule);
    },
  };
};
