// This file's function is sent to the browser as text: nothing in it may come from outside.
import type { Dom } from "./page-dom.ts";
import type { Link, Seen } from "./page-link.ts";

/** The planned faults, a form to play one, and a form that decides how the next job ends. */
export const createFaultsView = ({ element, fill, show, byId }: Dom, link: Link) => {
  const kind = byId<HTMLSelectElement>("fault-kind");

  /** The field of a fault that is asked for, by its kind. */
  const numberOf: Readonly<Record<string, "status" | "ms" | "retryAfterMs">> = {
    status: "status",
    html: "status",
    latency: "ms",
    "rate-limit": "retryAfterMs",
  };
  const labels = { status: "Status", ms: "Milliseconds", retryAfterMs: "Retry after, ms" };
  const usual = { status: 503, ms: 2_000, retryAfterMs: 1_000 };
  const afterwards = ["reset", "stall", "status"];

  const adapt = (): void => {
    const field = numberOf[kind.value];
    show("fault-number", field !== undefined);
    show("fault-accepted", afterwards.includes(kind.value));
    if (field === undefined) return;
    fill("fault-number-label", labels[field]);
    byId<HTMLInputElement>("fault-number-value").value = String(usual[field]);
  };
  kind.onchange = adapt;
  adapt();

  link.onSubmit(
    "new-fault",
    ({ kind: chosen = "", number, accepted, times, operation, account }) => {
      const field = numberOf[chosen];
      const fault = {
        kind: chosen,
        ...(field && number && { [field]: Number(number) }),
        ...(accepted && afterwards.includes(chosen) && { accepted: true }),
      };
      // No number of times means every time.
      const body = { fault, times: times ? Number(times) : null, operation, account };
      return link.order(`${chosen} is planned`, "POST", "/__mock/faults", body);
    },
  );

  link.onSubmit("next-job", ({ outcome, text, seconds, times, account }) => {
    const body = {
      ...(outcome === "fails" && { fail: text ?? "Generation failed" }),
      ...(seconds && { takesMs: Number(seconds) * 1000 }),
      times: times ? Number(times) : null,
      account,
    };
    return link.order("Planned for the next job", "POST", "/__mock/jobs/next", body);
  });
  const outcome = byId<HTMLSelectElement>("next-outcome");
  outcome.onchange = () => {
    show("next-text", outcome.value === "fails");
  };

  const describe = ({ operation, account, probability }: Seen["faults"][number]): string =>
    [
      operation === undefined ? "any call" : [operation].flat().join(", "),
      account,
      probability !== undefined && probability < 1 && `${probability * 100} %`,
    ]
      .filter(Boolean)
      .join(" · ");

  const nameOf = ({ fault }: Seen["faults"][number]): string =>
    "status" in fault ? `${fault.kind} ${fault.status}` : fault.kind;

  return ({ faults }: Seen): void => {
    fill("faults-count", String(faults.length));
    show("no-faults", faults.length === 0);
    show("clear-faults", faults.length > 0);
    fill(
      "faults-list",
      faults.map((planned) =>
        element(
          "li",
          { key: planned.id },
          element(
            "div",
            {},
            element("strong", {}, nameOf(planned)),
            // JSON has no Infinity: without an end is null there.
            ` ${planned.remaining === null ? "every time" : `${planned.remaining} ×`}`,
            element("p", { class: "quiet" }, describe(planned)),
          ),
          element(
            "button",
            {
              type: "button",
              class: "plain",
              "aria-label": `Take ${planned.fault.kind} back`,
              onclick: () =>
                link.order(
                  `${planned.fault.kind} is taken back`,
                  "DELETE",
                  `/__mock/faults/${encodeURIComponent(planned.id)}`,
                ),
            },
            "Take back",
          ),
        ),
      ),
    );
  };
};
