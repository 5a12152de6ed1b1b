// @ts-check
/** Questions before something is thrown away: the same button has to be pressed again. */

const sureMs = 4_000;

/** Questions that wait for a second press. @type {WeakMap<Element, () => void>} */
const questions = new WeakMap();

/** Tells whether a button is pressed for the second time; the first time it asks for that. */
export const isSure = (
  /** @type {Element} */ button,
  /** @type {string} */ question,
  /** @type {(text: string) => void} */ say,
) => {
  const end = questions.get(button);
  if (end !== undefined) {
    end();
    return true;
  }
  const label = button.textContent;
  const calm = () => {
    clearTimeout(patience);
    questions.delete(button);
    button.removeAttribute("data-asks");
    button.textContent = label;
  };
  const patience = window.setTimeout(calm, sureMs);
  questions.set(button, calm);
  button.setAttribute("data-asks", "");
  button.textContent = "Press again";
  say(question);
  return false;
};
