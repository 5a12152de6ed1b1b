import { endRule, type Rule, refuseBy } from "../../network/gates.ts";
import { isLoopback } from "../../network/loopback.ts";
import type { UnhandledRequests } from "../msw/unhandled-requests.ts";

const refusalOf = (host: string, code: string, why: string): Error =>
  Object.assign(new Error(`The mock refused a request to ${host}: ${why}`), { code });

/**
 * Refuses requests to the service while its mock does not listen. A test file that forgets to let
 * its mock listen would pay the real service, and pass. So would a request that comes too late.
 */
export const createRefusals = ({ isForService }: UnhandledRequests) => {
  const beforeListen: Rule = ({ href, host }) =>
    isForService(href)
      ? refusalOf(
          host,
          "ERR_MOCK_NOT_LISTENING",
          "it does not listen yet. Call listen before your tests, or give setupMockServer the " +
            "hooks of your test runner.",
        )
      : undefined;

  /** A server on this machine costs nothing: tests that come later may have one. */
  const afterClose: Rule = ({ href, host, hostname }) =>
    isForService(href) && !isLoopback(hostname)
      ? refusalOf(
          host,
          "ERR_MOCK_CLOSED",
          "it was closed. Send the request before that, or let requests out by " +
            "mock.allowNetwork().",
        )
      : undefined;

  return {
    refuseBeforeListen: (): void => refuseBy(beforeListen, true),
    refuseAfterClose: (): void => refuseBy(afterClose, false),
    /** To be called again when the mock has stopped, because MSW stood in front until then. */
    end: (): void => {
      endRule(beforeListen);
      endRule(afterClose);
    },
  };
};
