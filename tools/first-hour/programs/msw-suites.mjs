/** The set-ups that intercept requests, as a user may write them, for any runner. */
import { setupMockServer } from "adgen-sdk/mocks/node";
import { baseUrl, expectCharges, payInEveryWay } from "./pay.mjs";

const payTest = (mock) => async () => expectCharges(mock.service, await payInEveryWay());

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
  /** Without waiting for the end of `listen`. */
  "in the test": ({ test }) => {
    const mock = setupMockServer({ baseUrl });
    test("pays the mock", async () => {
      const listening = mock.listen();
      await payTest(mock)();
      await listening;
      mock.close();
    });
  },
  /** nock puts functions of its own in the place of MSW's, and sends what it doesn't answer. */
  "nock, loaded late": ({ test, hooks }) => {
    const mock = setupMockServer({ baseUrl, hooks });
    test("pays the mock", async () => {
      // Only the folder in which this runs has it installed.
      const late = "nock";
      await import(late);
      await payTest(mock)();
    });
  },
};
