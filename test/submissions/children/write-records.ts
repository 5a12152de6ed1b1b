/**
 * A process that opens a store, writes a number of records of 8 kB until a write fails, and prints the
 * result. With `stay`, it then keeps its store open until it is killed.
 */
import { openFileStore } from "../../../src/submissions/file.ts";

const [path = "", maxRecords = "", stay] = process.argv.slice(2);

let count = 0;
try {
  const store = await openFileStore(path);
  for (; count < Number(maxRecords); count++) {
    await store.swap(`${count}`, "", { rev: "1", text: "x".repeat(8_192), list: "l" });
  }
  if (stay === undefined) await store.close();
  else setInterval(() => {}, 1_000_000);
  console.log(JSON.stringify({ count }));
} catch (error) {
  const { name, code, message } = error as Error & { code: string };
  console.log(JSON.stringify({ count, name, code, message }));
}
