/** A consumer that steers a server of another process: type-checked against the packed package, never run. */
import { type ConnectedAccount, connectMock } from "adgen-sdk/mocks/connect";

const mock = connectMock("http://127.0.0.1:4010", { timeoutMs: 1000 });

export const steer = async (): Promise<number> => {
  await mock.ready({ timeoutMs: 100 });
  const account: ConnectedAccount = await mock.openAccount({
    credits: { video: { purchased: 1 } },
  });
  const planned = await account.jobs.next({ fail: "moderation" }, { action: "copy-ad" });
  await mock.faults.play({ kind: "reset", accepted: true }, { account: account.key });
  const entry = await account.journal.assertOne({ operation: "jobs.submit", path: /jobs$/ });
  const detail = await mock.jobs.inspect("job_1");
  await account.assertCharges([{ credit: "image" }]);
  await account.remove();
  return planned.remaining + entry.number + (detail?.polls ?? 0) + (await account.clock.now());
};
