/** Takes the locks of files at given times, tells which it got, and holds them until it is told to end. */
import { takeLock } from "../../../src/lock/file-lock.ts";

const [begin = "0", every = "0", ...files] = process.argv.slice(2);
const won: number[] = [];
for (const [round, file] of files.entries()) {
  const at = Number(begin) + round * Number(every);
  while (at - Date.now() > 5) await new Promise((resolve) => setTimeout(resolve, 1));
  // All of them at the same moment.
  while (Date.now() < at);
  await takeLock(file, { refusal: () => file }).then(
    () => won.push(round),
    () => {},
  );
}
process.stdout.write(`${JSON.stringify(won)}\n`);
process.stdin.resume().on("end", () => process.exit());
