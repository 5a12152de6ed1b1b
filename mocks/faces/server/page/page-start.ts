// This file's function is sent to the browser as text: nothing in it may come from outside.
import type { Dom } from "./page-dom.ts";
import type { Link, Seen } from "./page-link.ts";

/** Wires the clock and the rest of the buttons, and starts to look. */
export const startPage = (
  { fill, keepFocus, byId, element }: Dom,
  link: Link,
  views: readonly ((seen: Seen) => void)[],
): void => {
  const advance = (seconds: number) =>
    link.order(`The clock is ${seconds} s further`, "POST", "/__mock/clock", {
      advanceMs: seconds * 1000,
    });

  for (const button of document.querySelectorAll<HTMLElement>("[data-advance]")) {
    button.onclick = () => advance(Number(button.dataset["advance"]));
  }
  link.onSubmit("advance", ({ seconds = "0" }) => advance(Number(seconds)));

  byId("clear-faults").onclick = () => link.order("No faults any more", "DELETE", "/__mock/faults");
  byId("clear-journal").onclick = () =>
    link.order("The journal is empty", "DELETE", "/__mock/journal");

  // It throws everything away: asked for twice, it happens.
  const reset = byId("reset");
  const label = reset.textContent;
  let sure: ReturnType<typeof setTimeout> | undefined;
  const calm = (): void => {
    clearTimeout(sure);
    sure = undefined;
    reset.textContent = label;
  };
  reset.onclick = () => {
    if (sure === undefined) {
      reset.textContent = "Press again to reset";
      link.say("Press again to throw everything away");
      sure = setTimeout(calm, 4_000);
      return undefined;
    }
    calm();
    return link.order("Everything is as new", "POST", "/__mock/reset", {});
  };

  link.start((seen) => {
    const [day = "", rest = ""] = new Date(seen.now).toISOString().split("T");
    fill(
      "now",
      element(
        "time",
        { datetime: `${day}T${rest}` },
        element("span", { class: "day" }, `${day} UTC`),
        element("span", { class: "clock" }, rest.slice(0, 8)),
      ),
    );
    keepFocus(() => {
      for (const show of views) show(seen);
    });
  });
};
