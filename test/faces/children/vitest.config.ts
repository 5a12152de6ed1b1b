import { defineConfig } from "vitest/config";

const root = `${import.meta.dirname}/../../..`;

/** For the suites here, of which some tests fail: that is what their parent looks at. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: `${root}/node_modules/.vite`,
  resolve: { alias: [{ find: /^adgen-sdk$/, replacement: `${root}/src/index.ts` }] },
  test: { include: ["{fixture,server}-suite.ts"], maxWorkers: 1 },
});
