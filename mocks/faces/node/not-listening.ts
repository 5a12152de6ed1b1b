import { endRule, type Rule, refuseBy } from "../../network/gates.ts";
import { isLoopback } from "../../network/loopback.ts";
import type { UnhandledRequests } from "../msw/unhandled-requests.ts";

export const ticksAdvice =
  "fake timers stand in place of process.nextTick or queueMicrotask, and MSW needs the real ones to " +
  'intercept node:http. Use doNotFake: ["nextTick", "queueMicrotask"] in Jest, and toNotFake with ' +
  "Sinon.";

/** Reasons of the refusals. */
const reasons = {
  waits: {
    code: "ERR_MOCK_NOT_LISTENING",
    why:
      "it does not listen yet. Call listen before your tests, or give setupMockServer the hooks of " +
      "your test runner.",
  },
  listens: {
    code: "ERR_MOCK_INTERCEPTION_ENDED",
    why:
      "it listens, and other code has ended its interception. Stub fetch inside a test, after " +
      "listen, and use no second MSW server.",
  },
  closed: {
    code: "ERR_MOCK_CLOSED",
    why: "it was closed. Send the request before that, or let requests out by mock.allowNetwork().",
  },
  ticks: { code: "ERR_MOCK_FAKE_TICKS", why: ticksAdvice },
};

/** Creates the error of a request that is refused for one of these reasons. */
export const createRefusal = ({ host }: URL, reason: keyof typeof reasons): Error => {
  const { code, why } = reasons[reason];
  return Object.assign(new Error(`The mock refused a request to ${host}: ${why}`), { code });
};

type State = "stands by" | "waits" | "listens" | "closed";

/**
 * Refuses requests to the service while its mock does not listen. A test file that forgets to let
 * its mock listen would pay the real service, and pass. So would a request that comes too late.
 *
 * @param hasEnded - Tells whether other code has ended the interception of a mock that listens
 */
export const createRefusals = ({ isForService }: UnhandledRequests, hasEnded: () => boolean) => {
  let state: State = "stands by";

  const rule: Rule = (url) => {
    if (state === "stands by" || url === undefined || !isForService(url.href)) return undefined;
    if (state === "listens" && !hasEnded()) return undefined;
    // A server on this machine costs nothing: tests that come later may have one.
    if (state === "closed" && isLoopback(url.hostname)) return undefined;
    return createRefusal(url, state);
  };

  const beginAnew = (next: State): void => {
    state = next;
    endRule(rule);
    refuseBy(rule, next === "waits");
  };

  return {
    /** Puts the gates in early, where a `fetch` ends that a stub of before `listen` puts back. */
    standBy: (): void => beginAnew("stands by"),
    refuseBeforeListen: (): void => beginAnew("waits"),
    /** To be called before MSW is: a `fetch` of MSW that code has kept ends at the gate behind it. */
    allowAnswers: (): void => beginAnew("listens"),
    /** To be called when MSW has stopped. */
    refuseAfterClose: (): void => {
      if (state === "stands by" || state === "waits") beginAnew("closed");
      state = "closed";
      refuseBy(rule, false);
    },
    /** To be called when MSW has stopped, because it stood in front until then. */
    end: (): void => endRule(rule),
  };
};
