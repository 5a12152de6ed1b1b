// Entry for Node, Bun and Deno: lets the mock listen, and tries to pay before and after that.
import { setupMockServer } from "../../mocks/node/index.ts";

const [baseUrl = ""] = process.argv.slice(2);
const mock = setupMockServer({ baseUrl });

const pay = async (): Promise<string> => {
  const headers = { authorization: "Bearer test-key", "content-type": "application/json" };
  const body = JSON.stringify({ action: "generate-ad" });
  try {
    return `${(await fetch(`${baseUrl}/v1/jobs`, { method: "POST", headers, body })).status}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
};

/** Gives the error of `listen`, which throws or rejects depending on what can't be intercepted. */
const listen = async (): Promise<string> => {
  try {
    await mock.listen();
    return "listens";
  } catch (error) {
    return (error as Error).message;
  }
};

const before = await pay();
const listening = await listen();
console.log(JSON.stringify({ before, listening, after: await pay() }));
process.exit();
