// @ts-check
/** Changes of the document: what the user has opened, filled in or focused stays. */

/** @type {typeof import("idiomorph").Idiomorph} */
const Idiomorph = Reflect.get(globalThis, "Idiomorph");

/** Attributes that belong to the user once an element is there. */
const isOfUser = (/** @type {string} */ name, /** @type {Element} */ element) =>
  element.matches("details")
    ? name === "open"
    : ["value", "checked", "selected", "hidden", "disabled"].includes(name) &&
      element.matches("input, select, option, [data-when]") &&
      element.closest("form") !== null;

/**
 * Keeps the focus close when its element goes, as the buttons of a finished job do. The focus stays
 * with the job in its new place, or else with its section.
 */
const keepFocus = (/** @type {() => void} */ work) => {
  const focused = document.activeElement;
  const homes = [];
  for (let node = focused; node; node = node.parentElement) if (node.id) homes.push(node.id);
  work();
  if (focused === document.activeElement) return;
  for (const id of homes) {
    const home = document.getElementById(id);
    home?.focus({ preventScroll: true });
    if (home !== null && home === document.activeElement) return;
  }
};

/**
 * Keeps the entries that the user has opened and that the journal has forgotten since. After a
 * reset nothing is forgotten, and what was opened goes.
 */
const keepForgotten = (
  /** @type {Document} */ answer,
  /** @type {ReadonlySet<string>} */ opened,
) => {
  const { oldest = "0", forgotten = "0" } = answer.getElementById("journal-table")?.dataset ?? {};
  if (Number(forgotten) === 0) return;
  for (const details of document.querySelectorAll(".details")) {
    const { name = "" } = /** @type {HTMLElement} */ (details).dataset;
    const row = details.previousElementSibling;
    const home = answer.getElementById(details.parentElement?.id ?? "");
    const isGone = opened.has(name) && Number.parseInt(name, 10) < Number(oldest);
    if (row === null || home === null || !isGone || answer.getElementById(details.id)) continue;
    // The oldest of a list stand at its end, and so do those that are forgotten first.
    const copies = [row, details].map((one) => answer.importNode(one, true));
    home.append(...copies);
    for (const note of home.querySelectorAll(`#${CSS.escape(details.id)} .forgotten`)) {
      note.removeAttribute("hidden");
    }
  }
};

/**
 * Changes the parts of the document that the server renews; what is equal is not touched.
 *
 * @param opened - Names of the journal's entries that the user has opened
 */
export const show = (/** @type {Document} */ answer, /** @type {ReadonlySet<string>} */ opened) => {
  keepForgotten(answer, opened);
  keepFocus(() => {
    for (const after of answer.querySelectorAll("[data-live]")) {
      const before = document.getElementById(after.id);
      if (before === null) continue;
      Idiomorph.morph(before, after, {
        callbacks: {
          beforeAttributeUpdated: (name, element) => !isOfUser(name, element),
          // A button that waits for its second press keeps its question.
          beforeNodeMorphed: (old) => !(old instanceof Element && old.hasAttribute("data-asks")),
        },
      });
    }
  });
};
