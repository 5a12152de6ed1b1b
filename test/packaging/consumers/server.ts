/** A user of a server, and of its connection. */
import { createClient, pollJob } from "adgen-sdk";
import { type ConnectedAccount, connectMock } from "adgen-sdk/mocks/connect";
import { startMockServer } from "adgen-sdk/mocks/server";

export const use = async (): Promise<string> => {
  const server = await startMockServer({ port: 0, seed: "types", timeline: "per-poll" });
  const mock = connectMock(server.url);
  const account: ConnectedAccount = await mock.addAccount("test-types", {
    credits: { video: { purchased: 1 } },
  });
  const client = createClient({ baseUrl: server.url, apiKey: account.key });
  const { remaining } = await account.jobs.next({ result: {} }, { action: "copy-ad" });
  await mock.faults.play({ kind: "status", status: 503 }, { account: "test-key" });
  const job = await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });
  const finished = await pollJob(client, job);
  const { number } = await account.journal.assertOne({ operation: "jobs.submit" });
  const polls = (await mock.jobs.inspect(job.job_id))?.polls;
  const [, picture = ""] = /"url":"([^"]+)"/.exec(JSON.stringify(finished)) ?? [];
  const type = (await fetch(picture)).headers.get("content-type");
  const page = await fetch(`${server.url}/__mock/`);
  await account.assertCharges([{ credit: "image" }]);
  const isOurTime = Math.abs((await account.clock.now()) - Date.now()) < 60_000;
  await mock.removeAccount("test-types");
  await server.close();
  return [finished.status, remaining, number, polls, type, page.status, isOurTime].join();
};
