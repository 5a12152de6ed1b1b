import { setupMockWorker } from "adgen-sdk/mocks/browser";
import { http } from "msw";
import { credits, readCredits, timeline } from "../studio/budget.ts";
import { scriptEnds } from "../studio/scripted-ends.ts";
import type { Sessions } from "../studio/sessions.ts";
import { createStudio } from "../studio/studio.ts";

const baseUrl = "https://ads.test";
// The key of a mock. No key of a real account belongs into a page.
const apiKey = "test-in-page";

/** Makes the session of the one person in front of this page. A reload ends it. */
const createPageSession = (): Sessions => {
  let person: string | undefined;
  return {
    personOf: () => person,
    begin: (id) => {
      person = id;
      return {};
    },
    end: () => {
      person = undefined;
      return {};
    },
  };
};

/**
 * Runs everything in the page: the service worker hands the page's requests to the studio, and
 * those of the studio's proxy to the mock. Both live in this page, so a reload begins anew.
 */
export const startInPage = async (): Promise<void> => {
  const { service, worker, start } = setupMockWorker({
    baseUrl,
    accounts: { [apiKey]: { credits } },
    timeline,
  });
  scriptEnds(service);
  const studio = createStudio({
    baseUrl,
    // A function, because a string makes the library warn of keys in pages.
    apiKey: () => apiKey,
    sessions: createPageSession(),
    readCredits: () => readCredits(service.account(apiKey)),
  });
  const answer = ({ request }: { request: Request }) => studio.fetch(request);
  worker.use(http.all("/adgen/*", answer), http.all("/studio/*", answer));
  await start();
};
