import type { UnhandledRequests } from "../msw/unhandled-requests.ts";
import { failOnSocket, interceptAgents } from "./agent-requests.ts";
import { replace } from "./replace.ts";

/** Mocks that nothing has told to listen so far. */
const waiting = new Set<UnhandledRequests>();

/** Takes the functions that refuse out again, as far as no others stand in front of them. */
let takeOut: (() => boolean) | undefined;

const refusalOf = (url: string): Error | undefined => {
  if (!URL.canParse(url)) return undefined;
  if (![...waiting].some(({ isForService }) => isForService(url))) return undefined;
  return Object.assign(
    new Error(
      `The mock refused a request to ${new URL(url).host}: it does not listen yet. Call listen ` +
        "before your tests, or give setupMockServer the hooks of your test runner.",
    ),
    { code: "ERR_MOCK_NOT_LISTENING" },
  );
};

/** Functions in front of these, such as those of MSW, answer for the requests that they let by. */
const putIn = (): (() => boolean) => {
  const ofFetch = replace(globalThis, "fetch", (fetch) => async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    const error = ofFetch.isInFront() ? refusalOf(url) : undefined;
    // As `fetch` fails when it gets no connection.
    if (error !== undefined) throw new TypeError("fetch failed", { cause: error });
    return fetch(input, init);
  });
  const ofAgents = interceptAgents((agent, request, send) => {
    const url = `${request.protocol}//${request.getHeader("host")}${request.path}`;
    const error = ofAgents.isInFront(agent) ? refusalOf(url) : undefined;
    if (error === undefined) send();
    else failOnSocket(request, error);
  });
  return () => {
    const isOut = [ofFetch.undo(), ofAgents.undo()];
    return isOut.every(Boolean);
  };
};

/** Leaves no trace when no mock waits. To be called again when a mock stops listening. */
export const stopRefusing = (judge: UnhandledRequests): void => {
  waiting.delete(judge);
  if (waiting.size === 0 && takeOut?.()) takeOut = undefined;
};

/**
 * Refuses requests to the service until `stopRefusing` is called. A test file that forgets to let
 * its mock listen would pay the real service, and pass.
 */
export const refuseBeforeListen = (judge: UnhandledRequests): void => {
  waiting.add(judge);
  takeOut ??= putIn();
};
