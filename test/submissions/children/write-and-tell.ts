/** A process that writes records until it is killed, and prints the id of each one that is written. */
import { openFileStore } from "../../../src/submissions-file.ts";

const [path = "", run = ""] = process.argv.slice(2);

const store = await openFileStore(path);
for (let count = 0; ; count++) {
  const id = `${run}-${count}`;
  await store.swap(id, "", { rev: "1", text: "x".repeat(800), list: "l" });
  process.stdout.write(`${id}\n`);
}
