import type { Context } from "../domain/state.ts";
import { priceOfSubmission } from "../domain/submit-job.ts";
import { createFaults } from "../faults/scheduled-faults.ts";
import { answerArtwork } from "../http/artwork.ts";
import { corsHeaders, replyToPreflight } from "../http/cors.ts";
import { handleRequest } from "../http/handle-request.ts";
import { readRequest } from "../http/read-request.ts";
import type { MockReply, ReadRequest } from "../http/reply.ts";
import { closeSlot, createServiceState, openSlot } from "../http/service-state.ts";
import { createJournal } from "../journal/journal.ts";
import { pricedSchema } from "../options/account-schema.ts";
import { apiKeyField } from "../options/fields.ts";
import type { MockServiceOptions } from "../options/options.ts";
import { optionError, requireFit } from "../options/require.ts";
import { resolveAccount, resolveOptions } from "../options/resolve-options.ts";
import { createScheduledOutcomes } from "../outcomes/outcome.ts";
import type { MockAccount } from "./account.ts";
import { createAccount } from "./create-account.ts";
import { contextOf, createEngine } from "./engine.ts";
import { createFetch } from "./fetch.ts";
import { createJobs } from "./jobs.ts";
import type { MockService } from "./mock-service.ts";

/**
 * Creates a mock of the whole service: accounts with credits, jobs that advance, brands and ads.
 *
 * @throws TypeError when an option makes no sense; the message names it
 * @example
 * ```ts
 * const service = createMockService();
 * const client = createClient({ baseUrl: "https://ads.test", apiKey: "test-key", fetch: service.fetch });
 * ```
 */
export const createMockService = (options: MockServiceOptions = {}): MockService => {
  const config = resolveOptions(options);
  const engine = createEngine(config);
  const { current, clock, ahead, host } = engine;
  const views = new Map<string, MockAccount>();

  /** Returns the same view of an account each time, so that a test may keep it. */
  const account = (key: string): MockAccount => {
    host.requireAccount(key);
    const view = views.get(key) ?? createAccount(engine, key);
    views.set(key, view);
    return view;
  };

  const contexts = (): Context[] =>
    Array.from(current.world.accounts.values(), (slot) => contextOf(engine, slot));

  const answer = (request: ReadRequest, isServed = false): MockReply =>
    handleRequest(current.world, config, clock.now(), request, isServed);

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
      const answer = answerArtwork(current.world, request);
      const allowed = Object.entries(corsHeaders(request.headers.get("origin")));
      for (const [name, value] of allowed) answer.headers.set(name, value);
      return answer;
    },
    baseUrl: config.baseUrl,
    clock,
    get accounts() {
      return Array.from(current.world.accounts.keys(), account);
    },
    account,
    addAccount: (key, options = {}) => {
      const { world } = current;
      if (world.accounts.has(key)) {
        throw optionError(`accounts["${key}"]`, "a key that is not there yet");
      }
      openSlot(world, key, resolveAccount(key, options, config.apiKeyPrefix), clock.now());
      return account(key);
    },
    removeAccount: (key) => {
      requireFit("key", apiKeyField, key);
      if (!current.world.accounts.has(key)) return false;
      // A reset first, because it also clears the account's faults, outcomes and journal.
      account(key).reset();
      views.delete(key);
      return closeSlot(current.world, key);
    },
    priceOf: (request) =>
      priceOfSubmission(requireFit("request", pricedSchema, request), config.rules) ?? undefined,
    jobs: createJobs(contexts, createScheduledOutcomes(current, host)),
    faults: createFaults(current, host),
    journal: createJournal(current),
    reset: () => {
      ahead.offsetMs = 0;
      current.world = createServiceState(config, clock.now(), current.world);
    },
  };
};
