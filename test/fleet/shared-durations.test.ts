import { createClient, createLearnedDurations } from "adgen-sdk";
import { expect, test } from "vitest";
import { nameFleet } from "../../src/bullmq/fleet-names.ts";
import { shareDurations } from "../../src/bullmq/shared-durations.ts";
import { copyJob, until, useFleets } from "./fleet.ts";

const openFleet = useFleets();

test("every worker learns from all, those that start later too", async () => {
  const timeline = { queuedMs: 40, processingMs: 40 };
  const { name, queue, server, startWorker } = await openFleet({ timeline });
  startWorker();
  const ids = ["a", "b", "c"];
  for (const id of ids) await queue.add(id, copyJob);
  await Promise.all(ids.map((id) => queue.waitForResult(id)));

  const connect = () => queue.looks.getBackend().client;
  const key = nameFleet(name).key("durations");
  const [first, second] = [createLearnedDurations(), createLearnedDurations()];
  const shared = [first, second].map((memory) => shareDurations(memory, key, connect));
  await until(async () => expect(await (await connect()).xread([{ key, id: "0" }])).not.toBeNull());
  for (const { learn } of shared) await learn();
  const { actions } = first.toJSON();
  expect(actions[copyJob.action]?.length).toBeGreaterThan(0);
  expect(second.toJSON()).toEqual(first.toJSON());

  // A client that starts warm hands on what it knows: its own memory is not changed.
  const warm = createClient({
    baseUrl: server.url,
    apiKey: "test-key",
    durations: createLearnedDurations(first.toJSON()),
  });
  startWorker({ client: warm });
  await queue.add("d", copyJob);
  await queue.waitForResult("d");
  expect(warm.jobs.durations.toJSON()).toEqual(first.toJSON());
});
