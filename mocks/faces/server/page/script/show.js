// @ts-check
/** Changes of the document: what the user has opened, filled in or focused stays. */

/** @type {typeof import("idiomorph").Idiomorph} */
const Idiomorph = Reflect.get(globalThis, "Idiomorph");

/** Attributes that belong to the user once an element is there. */
const isOfUser = (/** @type {string} */ name, /** @type {Element} */ element) =>
  element.matches("details")
    ? name === "open"
    : ["value", "checked", "selected", "hidden", "disabled"].includes(name) &&
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

/** Changes the document into the one that the server has rendered; what is equal is not touched. */
export const show = (/** @type {Document} */ answer) => {
  const [before, after] = [document, answer].map((one) => one.querySelector("main"));
  if (!before || !after) return;
  keepFocus(() => {
    Idiomorph.morph(before, after, {
      callbacks: {
        beforeAttributeUpdated: (name, element) => !isOfUser(name, element),
        // A button that waits for its second press keeps its question.
        beforeNodeMorphed: (old) => !(old instanceof Element && old.hasAttribute("data-asks")),
      },
    });
  });
};
