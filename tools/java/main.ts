/**
 * `npm run test:java`: a client for Java, generated from the OpenAPI document by
 * openapi-generator-plus, compiles, and orders ads from the mock. Installs the generator into .tmp.
 * Needs a JDK of 17 or newer, and Debian's packages of the libraries below.
 */
import assert from "node:assert/strict";
import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { startMockServer } from "adgen-sdk/mocks/server";
import { runCommand } from "../../test/helpers/run-command.ts";
import { quietly } from "../first-hour/play-setting.ts";
import { runWell } from "../first-hour/processes.ts";

/** What the generated code imports, by Debian's packages. Stand-ins are for what Debian has not. */
const libraries = {
  "default-jdk-headless": [],
  "libgeronimo-annotation-1.3-spec-java": ["geronimo-annotation-1.3-spec"],
  "libgeronimo-validation-1.1-spec-java": ["geronimo-validation-1.1-spec"],
  "libjackson2-databind-java": ["jackson-annotations", "jackson-core", "jackson-databind"],
  "libjaxb-api-java": ["jaxb-api"],
  "libjaxrs-api-java": ["jaxrs-api"],
};
const jars = Object.values(libraries)
  .flat()
  .map((name) => `/usr/share/java/${name}.jar`);

const folder = resolve(".tmp/java");
const client = join(folder, "client");
const classes = join(folder, "classes");
const classPath = [...jars, classes].join(":");
const generator = "@openapi-generator-plus/java-jaxrs-client-generator";
const packages = ["openapi-generator-plus@2.22.0", `${generator}@5.0.0`];

const run = async (...command: readonly string[]): Promise<string> => {
  const { status, output } = await runCommand(folder, command);
  assert.equal(status, 0, output);
  return output;
};

const install = async (): Promise<void> => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
  await runWell(`npm install ${quietly} ${packages.join(" ")}`, folder);
};

const generate = async (): Promise<void> => {
  rmSync(client, { recursive: true, force: true });
  const config = {
    inputPath: resolve("tools/openapi/openapi.json"),
    outputPath: client,
    generator,
    package: "com.example.adgen",
  };
  writeFileSync(join(folder, "config.json"), JSON.stringify(config));
  const program = "node_modules/openapi-generator-plus/bin/ogplus.js";
  await run(process.execPath, program, "-c", "config.json");
  const sources = globSync(`${client}/**/*.java`);
  assert(sources.length > 50, `there are sources: ${sources.length}`);
};

const compile = async (): Promise<void> => {
  rmSync(classes, { recursive: true, force: true });
  mkdirSync(classes);
  const places = ["-d", classes, "-cp", classPath, "-sourcepath", resolve("tools/java/stand-ins")];
  const sources = [...globSync(`${client}/**/*.java`), resolve("tools/java/OrderAds.java")];
  assert.equal(await run("javac", "-Xmaxerrs", "1000", ...places, ...sources), "");
};

const orderAds = async (): Promise<void> => {
  const credits = { image: { monthly: 9 }, video: { monthly: 9 } };
  await using mock = await startMockServer({ accounts: { "test-key": { credits } } });
  const order = async () => (await run("java", "-cp", classPath, "OrderAds", mock.url)).split("\n");
  const kinds = ["processing edit-ad", "2 images", "processing video-a-2", "3 seconds"];
  assert.deepEqual(await order(), [...kinds, "processing generate-ad-copy", "3 jobs", ""]);
  const account = mock.service.account("test-key");
  account.assertCharges([
    { action: "edit-ad", amount: 2 },
    { action: "video-a-2", amount: 3 },
  ]);

  account.setCredits({ image: {}, video: { monthly: 3 } });
  mock.service.jobs.next({ fail: "moderation" });
  const [refused, ...others] = await order();
  assert.equal(refused, "402 Insufficient credits");
  assert.deepEqual(others.slice(0, 2), ["processing video-a-2", "failed moderation"]);
  assert.equal(account.charges.length, 3);
};

const missing = Object.entries(libraries)
  .filter(([, names]) => !names.every((name) => existsSync(`/usr/share/java/${name}.jar`)))
  .map(([name]) => name);
const hasCompiler = await runCommand(".", ["javac", "-version"]).then(
  ({ status }) => status === 0,
  () => false,
);
if (!hasCompiler) missing.push("default-jdk-headless");
if (missing.length > 0) {
  throw new Error(`Install first: apt-get install --no-install-recommends ${missing.join(" ")}`);
}

const steps = [
  ["the generator is installed", install],
  ["the generator takes the document", generate],
  ["the client compiles, and a program with it", compile],
  ["the program gets every kind of job, and is charged for each once", orderAds],
] as const;
for (const [what, take] of steps) {
  await take();
  console.log(`ok      ${what}`);
}
console.log(`\n${steps.length} passed, 0 failed`);
