/** The set-ups that intercept requests, as a user may write them, for any runner. */
import { setupMockServer } from "adgen-sdk/mocks/node";
import {
  baseUrl,
  body,
  expectCharges,
  expectRefusals,
  headers,
  payInEveryWay,
  payOrBeRefused,
} from "./pay.mjs";

/** Loads a package that is installed only in the folder of the setting. */
const load = (name) => import(name);

const payTest = (mock) => async () => expectCharges(mock.service, await payInEveryWay());

/** Closes a mock, and ignores the error about refused requests, such as those to a proxy. */
const close = (mock) => {
  try {
    mock.close();
  } catch (error) {
    if (!error.message.startsWith("Nothing handles these requests")) throw error;
  }
};

/** Pays by these ways before `listen`, while the mock listens, and after `close`. */
const inEachState =
  (findWays, pay = payOrBeRefused) =>
  ({ test }) => {
    const mock = setupMockServer({ baseUrl, hooks: false });
    test("pays the mock", async () => {
      const ways = await findWays();
      await expectRefusals(ways);
      await mock.listen();
      expectCharges(mock.service, (await pay(ways)) ?? 0);
      // The mock still answers after the tries.
      mock.service.reset();
      expectCharges(mock.service, await payOrBeRefused());
      if ((await fetch(`${baseUrl}/v1/jobs`, { headers })).status !== 200)
        throw new Error("no 200");
      close(mock);
      await expectRefusals(ways);
    });
  };

/** Pays while fake timers stand in place of all that their library replaces by default. */
const underFakeTimers =
  (install) =>
  ({ test }) => {
    const mock = setupMockServer({ baseUrl, hooks: false });
    test("pays the mock", async () => {
      await mock.listen();
      const { advance, restore } = await install();
      let paid;
      const paying = payOrBeRefused().then((count) => {
        paid = count;
      });
      while (paid === undefined) await Promise.race([paying, advance(50)]);
      restore();
      if (paid < 2) throw new Error("fetch and the client must be answered");
      expectCharges(mock.service, paid);
      mock.close();
    });
  };

const options = { method: "POST", headers, body };
const jobs = `${baseUrl}/v1/jobs`;

const findUndici = async () => {
  const { Agent, fetch, request } = await load("undici");
  const byRequest = (more) =>
    request(jobs, { ...options, ...more }).then((sent) => sent.statusCode);
  return {
    fetch: async () => (await fetch(jobs, options)).status,
    request: () => byRequest(),
    agent: () => byRequest({ dispatcher: new Agent({ pipelining: 0 }) }),
  };
};

const findAxios = async () => {
  const { default: axios } = await load("axios");
  const by = (adapter) => async () => (await axios.post(jobs, body, { adapter, headers })).status;
  return { http: by("http"), fetch: by("fetch") };
};

/** Pays by XMLHttpRequest. jsdom and happy-dom hide the reason of a failure, as browsers do. */
const payByXhr = () =>
  new Promise((resolve, reject) => {
    const xhr = new XMLHttpRequest();
    xhr.open("POST", jobs);
    for (const [name, value] of Object.entries(headers)) xhr.setRequestHeader(name, value);
    xhr.onload = () => resolve(xhr.status);
    xhr.onerror = () => reject(new Error("ERR_MOCK_HIDDEN"));
    xhr.send(body);
  });

export const suites = {
  hooks: ({ test, hooks }) => {
    test("pays the mock", payTest(setupMockServer({ baseUrl, hooks })));
  },
  "three lines": ({ test, hooks }) => {
    const mock = setupMockServer({ baseUrl });
    hooks.beforeAll(mock.listen);
    hooks.afterEach(mock.reset);
    hooks.afterAll(mock.close);
    test("pays the mock", payTest(mock));
  },
  /** Nothing tells the mock to listen. */
  forgotten: ({ test }) => {
    test("pays the mock", payTest(setupMockServer({ baseUrl })));
  },
  /** The test calls `listen` and pays before `listen` has ended. */
  "in the test": ({ test }) => {
    const mock = setupMockServer({ baseUrl });
    test("pays the mock", async () => {
      const listening = mock.listen();
      await payTest(mock)();
      await listening;
      mock.close();
    });
  },
  /** Nothing closes the mock, and the runner ends all the same. */
  "left open": ({ test, hooks }) => {
    const mock = setupMockServer({ baseUrl, hooks: false });
    hooks.beforeAll(mock.listen);
    test("pays the mock", payTest(mock));
  },
  "two mocks of one service": ({ test, hooks }) => {
    const first = setupMockServer({ baseUrl, hooks });
    const second = setupMockServer({ baseUrl, hooks });
    test("pays the first mock", payTest(first));
    test("pays the second mock", payTest(second));
  },
  "each state": inEachState(() => undefined),
  undici: inEachState(findUndici, expectRefusals),
  axios: inEachState(findAxios),
  XMLHttpRequest: inEachState(() => ({ xhr: payByXhr }), payInEveryWay),
  "Jest's fake timers": underFakeTimers(async () => {
    const { jest } = await load("@jest/globals");
    jest.useFakeTimers();
    return { advance: jest.advanceTimersByTimeAsync, restore: jest.useRealTimers };
  }),
  "Sinon's fake timers": underFakeTimers(async () => {
    const { default: sinon } = await load("sinon");
    const clock = sinon.useFakeTimers();
    return { advance: clock.tickAsync, restore: clock.restore };
  }),
  /** nock puts functions of its own in the place of MSW's, and sends what it doesn't answer. */
  "nock, loaded late": ({ test, hooks }) => {
    const mock = setupMockServer({ baseUrl, hooks });
    test("pays the mock", async () => {
      await load("nock");
      await payTest(mock)();
    });
  },
};
