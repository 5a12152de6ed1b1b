/** A process that submits orders, and kills itself once it has paid for enough of them. */
import { createClient } from "../../../src/client/index.ts";
import { openFileStore } from "../../../src/submissions/file.ts";
import { createSubmissions } from "../../../src/submissions/index.ts";

const [path = "", baseUrl = "", maxOrders = "", atOnce = ""] = process.argv.slice(2);

const submissions = createSubmissions(await openFileStore(path));
const client = createClient({ baseUrl, apiKey: "test-key", submissions });
let begun = 0;
let paid = 0;
const submitOn = async (): Promise<void> => {
  for (;;) {
    const once = `order-${begun++}`;
    await client.jobs.submit({ action: "generate-ad", prompt: once }, { once });
    if (++paid >= Number(maxOrders)) process.kill(process.pid, "SIGKILL");
  }
};
await Promise.all(Array.from({ length: Number(atOnce) }, submitOn));
