/** A consumer that uses msw: type-checked against the packed package, never run. */
import { createMockService } from "adgen-sdk/mocks";
import { createHandlers } from "adgen-sdk/mocks/msw";
import { mockFixtures, setupMockServer } from "adgen-sdk/mocks/node";

const handlers = createHandlers(createMockService());

export const count: number = handlers.length;

export const mock = setupMockServer({ baseUrl: "https://ads.test", hooks: false });
mock.server.use(...handlers);

export const { client, account } = mockFixtures({ seed: "types" });
