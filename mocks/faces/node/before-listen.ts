import type { UnhandledRequests } from "../msw/unhandled-requests.ts";
import { failOnSocket, interceptAgents } from "./agent-requests.ts";
import { replace } from "./replace.ts";

/** Mocks that listen in this process: while one does, it answers for the others. */
let listening = 0;

/** Steps to undo later: while a mock listened, MSW's functions stood in front. */
const leftUndone = new Set<() => void>();

/** Counts a mock that listens, until the result is called. */
export const countAsListening = (): (() => void) => {
  listening += 1;
  return () => {
    listening -= 1;
    for (const undo of leftUndone) undo();
    if (listening === 0) leftUndone.clear();
  };
};

const createNotListening = (url: string): Error =>
  Object.assign(
    new Error(
      `The mock refused a request to ${new URL(url).host}: it does not listen yet. Call listen ` +
        "before your tests, or give setupMockServer the hooks of your test runner.",
    ),
    { code: "ERR_MOCK_NOT_LISTENING" },
  );

/**
 * Refuses requests to the service until the result is called. A test file that forgets to let its
 * mock listen would pay the real service, and pass.
 */
export const refuseBeforeListen = ({ isForService }: UnhandledRequests): (() => void) => {
  let isOn = true;
  const refusalOf = (url: string): Error | undefined =>
    isOn && listening === 0 && URL.canParse(url) && isForService(url)
      ? createNotListening(url)
      : undefined;

  const undoFetch = replace(globalThis, "fetch", (fetch) => async (input, init) => {
    const error = refusalOf(input instanceof Request ? input.url : String(input));
    // As `fetch` fails when it gets no connection.
    if (error !== undefined) throw new TypeError("fetch failed", { cause: error });
    return fetch(input, init);
  });
  const undoAgents = interceptAgents((_, request, send) => {
    const error = refusalOf(`${request.protocol}//${request.getHeader("host")}${request.path}`);
    if (error === undefined) send();
    else failOnSocket(request, error);
  });
  const undo = (): void => {
    undoFetch();
    undoAgents();
  };
  return () => {
    isOn = false;
    undo();
    if (listening > 0) leftUndone.add(undo);
  };
};
