/** Prints what importing the package has changed in the process. The test expects no change. */
const describeProcess = () => ({
  globals: Reflect.ownKeys(globalThis).map(String),
  replaced: ["fetch", "Request", "Response", "Headers", "AbortSignal", "setTimeout", "console"].map(
    (name) => Object.getOwnPropertyDescriptor(globalThis, name)?.value,
  ),
  listeners: process.eventNames().map((name) => `${String(name)} ${process.listenerCount(name)}`),
  environment: JSON.stringify(process.env),
  resources: process.getActiveResourcesInfo(),
});

// Node loads its own fetch when it is first touched.
new Request("http://service.test");
const before = describeProcess();
const { process: hidden } = globalThis;
// Browsers and workers have no `process`.
delete globalThis.process;
const { createClient } = await import("adgen-sdk");
await import("adgen-sdk/mocks");
await import("adgen-sdk/assumed");
await import("adgen-sdk/files");
const { createProxy } = await import("adgen-sdk/proxy");
const { createMemoryStore } = await import("adgen-sdk/submissions");
const target = { baseUrl: "http://127.0.0.1:1", apiKey: "test-key" };
createClient(target);
createProxy({ ...target, allowAnyone: true, store: createMemoryStore() });
globalThis.process = hidden;
const after = describeProcess();

const changed = Object.keys(before).flatMap((aspect) =>
  after[aspect].length === before[aspect].length &&
  [...after[aspect]].every((value, index) => value === before[aspect][index])
    ? []
    : [aspect],
);
// zod keeps its configuration in globals of its own.
const added = after.globals.filter((name) => !before.globals.includes(name));
console.log(JSON.stringify({ changed: changed.filter((aspect) => aspect !== "globals"), added }));
