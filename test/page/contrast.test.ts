import { expect, test } from "vitest";
import { usePages, withoutBrowser } from "./open-page.ts";

const open = usePages();

/** Contrast of two colours by WCAG 2; `axe` measures that of texts alone. */
const contrast = (one: readonly number[], other: readonly number[]): number => {
  const [lighter = 0, darker = 0] = [one, other]
    .map((color) =>
      color
        .map((part) => part / 255)
        .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
        .reduce((sum, part, index) => sum + part * ([0.2126, 0.7152, 0.0722][index] ?? 0), 0),
    )
    .sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
};

const numbersIn = (color: string): number[] =>
  (color.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number);

test.skipIf(withoutBrowser)(
  "borders of fields stand out from what is around them, in light and in dark",
  async () => {
    const { page } = await open();
    await page.evaluate(() => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    });
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const pairs = await page.evaluate(() => {
        const groundOf = (element: Element | null): string => {
          if (element === null) return "rgb(255, 255, 255)";
          const { backgroundColor } = getComputedStyle(element);
          const isClear = backgroundColor === "rgba(0, 0, 0, 0)";
          return isClear ? groundOf(element.parentElement) : backgroundColor;
        };
        return [...document.querySelectorAll("input:not([type=file], [type=checkbox]), select")]
          .filter((field) => field.getClientRects().length > 0)
          .map((field) => [getComputedStyle(field).borderTopColor, groundOf(field.parentElement)]);
      });
      expect(pairs.length).toBeGreaterThan(15);
      const weak = pairs.filter(
        ([border = "", ground = ""]) => contrast(numbersIn(border), numbersIn(ground)) < 3,
      );
      expect(weak, colorScheme).toEqual([]);
    }
  },
);
