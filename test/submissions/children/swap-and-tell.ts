/**
 * A process that opens a store, writes records of 8 kB, as many as it is told or until one fails,
 * and prints what happened.
 */
import { openFileStore } from "../../../src/submissions/file.ts";

const [path = "", most = ""] = process.argv.slice(2);

let count = 0;
try {
  const store = await openFileStore(path);
  for (; count < Number(most); count++) {
    await store.swap(`${count}`, "", { rev: "1", text: "x".repeat(8_192), list: "l" });
  }
  await store.close();
  console.log(JSON.stringify({ count }));
} catch (error) {
  const { name, code, message } = error as Error & { code: string };
  console.log(JSON.stringify({ count, name, code, message }));
}
