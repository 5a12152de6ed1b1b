import { http } from "msw";
import { setupWorker } from "msw/browser";
import { expect, test } from "vitest";
import { runScript } from "../../mocks/conformance/check/script.ts";
import { type AskService, askBy } from "../../mocks/conformance/exchange.ts";
import { createHandlers } from "../../mocks/msw.ts";
import { comparable, createScriptedService, scriptOptions } from "../conformance/mock-world.ts";

const origin = "https://ads.test";

const converse = async (ask: AskService) => {
  const { outcomes } = await runScript(ask, scriptOptions);
  const differing = outcomes.filter(({ verdict }) => verdict !== "ok");
  expect(differing.map(({ step, differences }) => [step.name, differences])).toEqual([]);
  return outcomes.flatMap(({ exchanges }) => exchanges.map(comparable));
};

test("the service worker answers the whole script as the service's own fetch, byte for byte", async () => {
  const service = createScriptedService();
  // Handlers are for the API's own paths; what a consumer does with others is not their matter.
  const rest = http.all(`${origin}/*`, ({ request }) => service.fetch(request));
  const worker = setupWorker(...createHandlers(service), rest);
  await worker.start({ quiet: true, onUnhandledFrame: "bypass" });
  try {
    const direct = createScriptedService();
    const expected = await converse(askBy(direct.fetch, origin));
    const intercepted = await converse(askBy((url, init) => fetch(url, init), origin));
    expect(intercepted).toEqual(expected);
    expect(JSON.stringify(service.snapshot())).toBe(JSON.stringify(direct.snapshot()));
  } finally {
    await worker.stop();
  }
});
