import type { MockAccount } from "../../service/account.ts";
import { assertCharges } from "../../service/charges.ts";
import { connectClock } from "./connect-clock.ts";
import { connectFaults } from "./connect-faults.ts";
import { connectAccountJobs } from "./connect-jobs.ts";
import { connectJournal } from "./connect-journal.ts";
import type { ConnectedAccount } from "./connected-mock.ts";
import { type Connection, pathOf } from "./connection.ts";

/** Parts of one account that the server shows together. */
type Shown = Pick<MockAccount, "credits" | "ledger" | "charges" | "brands" | "savedAds" | "counts">;

/** Both pots, because the server wants at least one of them. */
const noCredits = { monthly: 0, purchased: 0 };

/** Makes the face of one account. */
export const connectAccount = (connection: Connection, key: string): ConnectedAccount => {
  const { ask, askForOne, tell } = connection;
  const path = pathOf("accounts", key);
  const show = (): Promise<Shown> => ask("GET", path);
  const remove = async (): Promise<boolean> => (await askForOne("DELETE", path)) !== undefined;
  return {
    key,
    clock: connectClock(connection, `${path}/clock`),
    jobs: connectAccountJobs(connection, key),
    faults: connectFaults(connection, key),
    journal: connectJournal(connection, key),
    credits: async () => (await show()).credits,
    ledger: async () => (await show()).ledger,
    charges: async () => (await show()).charges,
    brands: async () => (await show()).brands,
    savedAds: async () => (await show()).savedAds,
    counts: async () => (await show()).counts,
    assertCharges: async (expected) => assertCharges((await show()).charges, expected),
    grant: (credit, pots) => tell("POST", `${path}/credits`, { ...noCredits, ...pots, credit }),
    setCredits: (credit, pots) => tell("PUT", `${path}/credits`, { ...noCredits, ...pots, credit }),
    reset: () => tell("POST", `${path}/reset`),
    remove,
    [Symbol.asyncDispose]: async () => void (await remove()),
  };
};
