/** Why the mock refuses a request. */
const reasons = {
  waits: {
    code: "ERR_MOCK_NOT_LISTENING",
    why:
      "it does not listen yet. Call listen before your tests, or give setupMockServer the hooks of " +
      "your test runner.",
  },
  ended: {
    code: "ERR_MOCK_INTERCEPTION_ENDED",
    why:
      "it listens, and other code has ended its interception. Stub fetch inside a test, after " +
      "listen, and use no second MSW server.",
  },
  missed: {
    code: "ERR_MOCK_NOT_INTERCEPTED",
    why:
      "it listens, and MSW does not get requests that are sent this way. Send them by the global fetch " +
      "or by node:http with an agent of Node's own, or give your client mock.service.fetch.",
  },
  closed: {
    code: "ERR_MOCK_CLOSED",
    why: "it was closed. Send the request before that, or let requests out by mock.allowNetwork().",
  },
  ticks: {
    code: "ERR_MOCK_FAKE_TICKS",
    why:
      "fake timers stand in place of process.nextTick or queueMicrotask, and MSW needs the real ones to " +
      'intercept node:http. Use doNotFake: ["nextTick", "queueMicrotask"] in Jest, and toNotFake with ' +
      "Sinon.",
  },
};

/** Explains why a mock can't listen while ticks are faked. */
export const ticksAdvice = reasons.ticks.why;

/**
 * Creates the error of a request that is refused for one of these reasons.
 *
 * @param place - Where the mock was created, as " of ads.test.ts:7"
 */
export const createRefusal = (
  { host }: URL,
  reason: keyof typeof reasons,
  place: string,
): Error => {
  const { code, why } = reasons[reason];
  return Object.assign(new Error(`The mock${place} refused a request to ${host}: ${why}`), {
    code,
  });
};
