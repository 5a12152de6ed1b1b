/** The fixtures for Playwright have no types of Playwright, and fit its `test.extend`. */
import { type BrowserContext, test as base, type TestType } from "@playwright/test";
import type { ConnectedAccount, ConnectedMock } from "adgen-sdk/mocks/connect";
import {
  mockFixtures,
  type PlaywrightContext,
  type PlaywrightMockTest,
  type PlaywrightMockWorker,
  type PlaywrightTestInfo,
} from "adgen-sdk/mocks/playwright";
import { test as check, expectTypeOf } from "vitest";

check("the fixtures fit a test of one's own, beside other fixtures", () => {
  const extend = () =>
    base
      .extend<{ mine: string }>({ mine: "own" })
      .extend<PlaywrightMockTest, PlaywrightMockWorker>(mockFixtures({ url: "http://a.test" }));
  type Fixtures =
    ReturnType<typeof extend> extends TestType<infer Test, infer Worker> ? Test & Worker : never;
  expectTypeOf<Fixtures["account"]>().toEqualTypeOf<ConnectedAccount>();
  expectTypeOf<Fixtures["mock"]>().toEqualTypeOf<ConnectedMock>();
  expectTypeOf<Fixtures["apiKey"]>().toEqualTypeOf<string>();
  expectTypeOf<Fixtures["mine"]>().toEqualTypeOf<string>();
  expectTypeOf<Fixtures["context"]>().toEqualTypeOf<BrowserContext>();
});

check("Playwright's own things are what the fixtures use", () => {
  expectTypeOf<BrowserContext>().toExtend<PlaywrightContext>();
  expectTypeOf<ReturnType<typeof base.info>>().toExtend<PlaywrightTestInfo>();
});
