/** What a user of msw writes: type-checked against the packed package, never run. */
import { createMockService } from "adgen-sdk/mocks";
import { createHandlers } from "adgen-sdk/mocks/msw";

const handlers = createHandlers(createMockService());

export const count: number = handlers.length;
