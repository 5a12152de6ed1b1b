const { mkdtempSync, rmSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { createClient, JournalError, pollJobs } = require("adgen-sdk");
const { openFileJournal } = require("adgen-sdk/journal/file");

const main = async () => {
  const folder = mkdtempSync(join(tmpdir(), "adgen-use-"));
  const journal = await openFileJournal(join(folder, "submissions.journal"));
  const client = createClient({ baseUrl: process.argv[2], apiKey: "test-key", journal });
  await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });
  const { waiting } = await client.jobs.recover();
  const [job] = await pollJobs(client, waiting);
  const refused = await openFileJournal(journal.path).catch((error) => error);
  console.log([waiting.length, job.data.status, refused instanceof JournalError].join());
  await journal.close();
  rmSync(folder, { recursive: true });
};

void main();
