import fc from "fast-check";
import { http } from "msw";
import { expect, test } from "vitest";
import {
  type AskService,
  askBy,
  type Question,
  readAnswer,
} from "../../mocks/conformance/exchange.ts";
import { generateOpenApi } from "../../tools/openapi/document.ts";
import { faces } from "../helpers/faces.ts";
import { requestsOf } from "./arbitrary-requests.ts";
import { comparable, createScriptedService, keys } from "./mock-world.ts";

/** More in a long run: `FUZZ_RUNS=50000`. A run is a conversation of some ten requests. */
const numRuns = Math.ceil(Number(process.env["FUZZ_RUNS"] ?? 400) / 40);

/** Places for the ids that the conversation itself has brought up. */
const place = fc.nat(9).map((number) => `id-${number}`);

const requests = requestsOf(generateOpenApi("1.0.0"), place, Object.values(keys)).filter(
  // Node's HTTP parser knows no others.
  ({ method }) => /^(GET|HEAD|OPTIONS|POST|PATCH|DELETE|PUT|PROPFIND|QUERY)$/i.test(method),
);

const answersTo = async (ask: AskService, questions: readonly Question[]) => {
  const ids: string[] = [];
  const fill = (text: string): string =>
    text.replace(/id-(\d)/g, (_, number) => ids[number % Math.max(1, ids.length)] ?? "none");
  const answers = [];
  for (const { path, body, ...rest } of questions) {
    const question = { ...rest, path: fill(path), ...(body !== undefined && { body: fill(body) }) };
    const reply = await ask(question);
    answers.push(comparable({ question, reply }));
    const { data } = readAnswer(reply);
    const id = data?.job_id ?? data?.id;
    if (typeof id === "string") ids.push(id);
  }
  return answers;
};

test(
  "whatever they are asked, all faces answer alike, byte for byte",
  async () => {
    const [byMsw, byHttp] = [createScriptedService(), createScriptedService()];
    const fresh = createScriptedService().snapshot();
    const server = await faces.HTTP(byHttp);
    const rest = http.all("*", ({ request }) => byMsw.fetch(request));
    const conversation = fc.array(requests, { minLength: 5, maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(conversation, async (questions) => {
        const direct = createScriptedService();
        const expected = await answersTo(askBy(direct.fetch, "https://ads.test"), questions);
        byHttp.restore(fresh);
        expect(await answersTo(askBy(fetch, server.baseUrl), questions)).toEqual(expected);
        byMsw.restore(fresh);
        const msw = await faces["msw/node"](byMsw, { handlers: [rest] });
        try {
          // Not the fetch of the file's beginning: MSW puts its own in the place of it.
          expect(await answersTo(askBy(fetch, msw.baseUrl), questions)).toEqual(expected);
        } finally {
          await msw.close();
        }
        const world = JSON.stringify(direct.snapshot());
        for (const service of [byMsw, byHttp]) {
          expect(JSON.stringify(service.snapshot())).toBe(world);
        }
      }),
      { numRuns },
    );
    await server.close();
  },
  180_000 + numRuns * 1_000,
);
