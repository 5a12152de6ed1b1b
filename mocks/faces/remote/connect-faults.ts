import type { PlannedFault } from "../../faults/fault.ts";
import { refusal } from "../../options/require.ts";
import type { ConnectedFaults } from "./connected-mock.ts";
import { type Connection, pathOf } from "./connection.ts";
import { readPlanned } from "./endless.ts";

interface FaultList {
  readonly faults: readonly PlannedFault[];
}

/**
 * Makes the face of the faults.
 *
 * @param account - Key of the account whose faults these are. @default all accounts
 */
export const connectFaults = (
  { ask, askForOne, tell }: Connection,
  account?: string,
): ConnectedFaults => {
  const planned = async (): Promise<readonly PlannedFault[]> => {
    const { faults } = await ask<FaultList>("GET", "faults", { account });
    return faults.map(readPlanned);
  };
  return {
    planned,
    play: async (fault, options = {}) => {
      const only = options.account ?? account;
      if (account !== undefined && only !== account) {
        throw refusal("fault options.account", `left out or "${account}"; it is "${only}"`);
      }
      return readPlanned(await ask("POST", "faults", { ...options, account: only, fault }));
    },
    remove: async (id) => {
      // The server takes back any fault of this id. An account has only its own.
      const isOurs = account === undefined || (await planned()).some((one) => one.id === id);
      return isOurs && (await askForOne("DELETE", pathOf("faults", id))) !== undefined;
    },
    clear: () => tell("DELETE", "faults", { account }),
    assertPlayed: () => tell("POST", "faults/assert", { account }),
  };
};
