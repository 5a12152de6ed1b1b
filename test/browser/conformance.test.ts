import { http } from "msw";
import { setupWorker } from "msw/browser";
import { expect, test } from "vitest";
import { createHandlers } from "../../mocks/msw/index.ts";
import {
  askBy,
  askEdges,
  comparable,
  comparableEdge,
  converse,
  createEdges,
  createScriptedService,
  stateOf,
} from "../conformance/conversation.ts";

const origin = "https://ads.test";

test("the service worker answers the conversation like service.fetch, byte for byte", async () => {
  const service = createScriptedService();
  // The handlers answer only paths of the API, and the conversation asks for others as well.
  const rest = http.all(`${origin}/*`, ({ request }) => service.fetch(request));
  const worker = setupWorker(...createHandlers(service), rest);
  await worker.start({ quiet: true, onUnhandledFrame: "bypass" });
  try {
    const direct = createScriptedService();
    const expected = (await converse(askBy(direct.fetch, origin))).map(comparable);
    const intercepted = (await converse(askBy((url, init) => fetch(url, init), origin))).map(
      comparable,
    );
    expect(intercepted).toEqual(expected);
    const edges = () => createEdges().filter(({ isForPrograms }) => !isForPrograms);
    const answers = async (send: typeof direct.fetch) =>
      (await askEdges(edges(), send, origin)).map(comparableEdge);
    expect(await answers((url, init) => fetch(url, init))).toEqual(await answers(direct.fetch));
    expect(stateOf(service)).toBe(stateOf(direct));
  } finally {
    await worker.stop();
  }
});
