/** `npm run bench -- <name>`: each benchmark exits with 1 if a limit is broken. */
const benches: Readonly<Record<string, string>> = {
  mock: "./mock.ts",
  calls: "./calls.ts",
  waits: "./waits.ts",
  startup: "./startup.ts",
  faults: "./faults/main.ts",
};
const [name = "mock"] = process.argv.splice(2, 1);
const file = benches[name];
if (file === undefined) throw new Error(`There is no bench ${name}: ${Object.keys(benches)}`);
await import(file);
