/**
 * Puts the service together for its users: accounts, jobs, faults, journal and `fetch`. This folder imports
 * all layers below it, and no adapter.
 */
import type { Context } from "../domain/state.ts";
import { priceOfSubmission } from "../domain/submit-job.ts";
import { createFaults } from "../faults/scheduled-faults.ts";
import { answerArtwork } from "../http/artwork.ts";
import { corsHeaders, replyToPreflight } from "../http/cors.ts";
import { handleRequest } from "../http/handle-request.ts";
import { readRequest } from "../http/read-request.ts";
import type { MockReply, ReadRequest } from "../http/reply.ts";
import {
  closeSlot,
  createServiceState,
  openSlot,
  requireSlot,
  resetState,
} from "../http/service-state.ts";
import { createJournal } from "../journal/journal.ts";
import { pricedSchema } from "../options/account-schema.ts";
import { apiKeyField } from "../options/fields.ts";
import type { MockServiceOptions } from "../options/options.ts";
import { optionError, requireFit } from "../options/require.ts";
import { resolveAccount, resolveOptions } from "../options/resolve-options.ts";
import { createScheduledOutcomes } from "../outcomes/outcome.ts";
import type { MockAccount } from "./account.ts";
import { contextOf } from "./context.ts";
import { createAccount } from "./create-account.ts";
import { createFetch } from "./fetch.ts";
import { createJobs } from "./jobs.ts";
import type { MockService } from "./mock-service.ts";

/**
 * Creates a mock of the whole service: accounts with credits, jobs that progress, brands and ads.
 *
 * @throws TypeError when an option is invalid; the message names it
 * @example
 * ```ts
 * const service = createMockService();
 * const client = createClient({ baseUrl: "https://ads.test", apiKey: "test-key", fetch: service.fetch });
 * ```
 */
export const createMockService = (options: MockServiceOptions = {}): MockService => {
  const config = resolveOptions(options);
  const state = createServiceState(config);
  const { accounts, clock } = state;
  const views = new Map<string, MockAccount>();

  const requireAccount = (key: string): void => void requireSlot(state, key);

  /** Returns the same view of an account each time, so that a test can keep it. */
  const account = (key: string): MockAccount => {
    requireAccount(key);
    const view = views.get(key) ?? createAccount(state, key);
    views.set(key, view);
    return view;
  };

  const contexts = (): Context[] => Array.from(accounts.values(), (slot) => contextOf(state, slot));

  const answer = (request: ReadRequest, isServed = false): MockReply =>
    handleRequest(state, request, isServed);

  return {
    fetch: createFetch(answer, config.baseUrl),
    reply: async (request) => {
      const preflight = replyToPreflight(request);
      if (preflight !== undefined) return preflight;
      // jsdom checks CORS for XMLHttpRequest, as a browser does.
      const origin = request.headers.get("origin");
      const reply = answer(await readRequest(request), true);
      return { ...reply, headers: { ...corsHeaders(origin), ...reply.headers } };
    },
    artwork: (request) => {
      const answer = answerArtwork(state, request);
      const allowed = Object.entries(corsHeaders(request.headers.get("origin")));
      for (const [name, value] of allowed) answer.headers.set(name, value);
      return answer;
    },
    baseUrl: config.baseUrl,
    clock,
    get accounts() {
      return Array.from(accounts.keys(), account);
    },
    account,
    addAccount: (key, options = {}) => {
      if (accounts.has(key)) {
        throw optionError(`accounts["${key}"]`, "a key that no account has yet");
      }
      openSlot(state, key, resolveAccount(key, options, config.apiKeyPrefix));
      return account(key);
    },
    removeAccount: (key) => {
      requireFit("key", apiKeyField, key);
      if (!accounts.has(key)) return false;
      // The reset also clears the account's faults, outcomes and journal.
      account(key).reset();
      views.delete(key);
      return closeSlot(state, key);
    },
    priceOf: (request) =>
      priceOfSubmission(requireFit("request", pricedSchema, request), config.rules) ?? undefined,
    jobs: createJobs(contexts, createScheduledOutcomes(state, requireAccount)),
    faults: createFaults(state, requireAccount),
    journal: createJournal(state),
    reset: () => resetState(state),
  };
};
