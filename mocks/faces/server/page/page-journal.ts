// This file's function is sent to the browser as text: nothing in it may come from outside.
import type { Dom, Spec } from "./page-dom.ts";
import type { Link, Seen } from "./page-link.ts";

type Entry = Seen["journal"]["items"][number];

/** The latest requests; each opens to what was sent and what was answered. */
export const createJournalView = ({ element, fill, show, timeOfDay }: Dom, link: Link) => {
  /** What the open ones show. */
  const open = new Map<string, string>();
  const longest = 20_000;
  let seen: Seen | undefined;

  const write = (value: unknown): string => {
    const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
    return text.length > longest ? `${text.slice(0, longest)}…` : text;
  };

  /** More than its number: after a reset they count from 1 again. */
  const nameOf = ({ number, at, method, path }: Entry): string =>
    [number, at, method, path].join(" ");

  const toggle = async (entry: Entry): Promise<void> => {
    const name = nameOf(entry);
    if (open.delete(name)) return draw();
    open.set(name, "…");
    draw();
    try {
      const whole = (await link.ask("GET", `/__mock/journal/${entry.number}`)) as {
        [field: string]: unknown;
      };
      const { body, answer, fault } = whole;
      const parts = [
        body !== undefined && `Sent\n${write(body)}`,
        fault && `Fault\n${write(fault)}`,
        answer ? `Answered\n${write((answer as { body: unknown }).body)}` : "No answer went out",
      ];
      open.set(name, parts.filter(Boolean).join("\n\n"));
    } catch (error) {
      open.set(name, error instanceof Error ? error.message : String(error));
    }
    draw();
  };

  const tone = ({ status }: Entry): string =>
    status === undefined ? "none" : status < 400 ? "good" : status < 500 ? "warn" : "bad";

  const row = (entry: Entry): Spec[] => {
    const { number, at, method, path, status, operation, account, fault } = entry;
    const details = open.get(nameOf(entry));
    return [
      element(
        "tr",
        { key: number },
        element("td", { class: "wide" }, timeOfDay(at)),
        element(
          "td",
          {},
          element(
            "button",
            {
              type: "button",
              id: `entry-${number}`,
              class: "entry",
              "aria-expanded": String(details !== undefined),
              onclick: () => toggle(entry),
            },
            element("span", { class: "method" }, method),
            " ",
            element("span", {}, path),
          ),
          fault !== undefined && element("span", { class: "fault" }, `fault: ${fault}`),
        ),
        element("td", {}, element("span", { class: `status ${tone(entry)}` }, status ?? "none")),
        element("td", { class: "wide" }, operation ?? ""),
        element("td", { class: "wide" }, account ?? ""),
      ),
      ...(details === undefined
        ? []
        : [
            element(
              "tr",
              { key: `${number}-details`, class: "details" },
              element(
                "td",
                { colspan: 5 },
                element(
                  "pre",
                  { tabindex: 0, "aria-label": `Request ${number}, sent and answered` },
                  details,
                ),
              ),
            ),
          ]),
    ];
  };

  const draw = (): void => {
    if (seen === undefined) return;
    const { total, items } = seen.journal;
    const hidden = total - items.length;
    fill("journal-count", String(total));
    show("no-journal", total === 0);
    show("journal-table", total > 0);
    fill("journal-rows", items.map(row));
    fill(
      "journal-more",
      hidden > 0 && `The latest ${items.length}; ${hidden} older ones are not shown.`,
    );
  };

  return (now: Seen): void => {
    seen = now;
    const names = new Set(now.journal.items.map(nameOf));
    for (const name of open.keys()) if (!names.has(name)) open.delete(name);
    draw();
  };
};
