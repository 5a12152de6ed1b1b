import { defineConfig } from "vitest/config";

const root = `${import.meta.dirname}/../../..`;

/** For the suite here, of which some tests fail: that is what its parent looks at. */
export default defineConfig({
  root: import.meta.dirname,
  cacheDir: `${root}/node_modules/.vite`,
  resolve: { alias: [{ find: /^adgen-sdk$/, replacement: `${root}/src/index.ts` }] },
  test: { include: ["fixture-suite.ts"], maxWorkers: 1 },
});
