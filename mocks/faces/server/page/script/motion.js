// @ts-check
/** Motion of pictures: one moves only while the user points at its job or has focused it. */

const homes = ".card, .gallery li";

/** @returns {Element | null} */
const homeOf = (/** @type {EventTarget | null} */ target) =>
  target instanceof Element ? target.closest(homes) : null;

const movesOf = (/** @type {Element} */ home) =>
  /** @type {NodeListOf<HTMLImageElement>} */ (
    home.querySelectorAll('img[data-moving]:not([data-moving=""])')
  );

const setMoving = (/** @type {Element} */ home, /** @type {boolean} */ isMoving) => {
  for (const image of movesOf(home)) {
    const { moving = "" } = image.dataset;
    const source = isMoving ? moving : `${moving}&still`;
    if (image.getAttribute("src") !== source) image.src = source;
  }
};

/** Watches the pointer and the focus. */
export const watchMotion = () => {
  const wantsNone = matchMedia("(prefers-reduced-motion: reduce)");
  const start = (/** @type {Event} */ { target }) => {
    const home = homeOf(target);
    if (home !== null && !wantsNone.matches) setMoving(home, true);
  };
  const stop = (/** @type {MouseEvent | FocusEvent} */ { target, relatedTarget }) => {
    const home = homeOf(target);
    if (home !== null && homeOf(relatedTarget) !== home) setMoving(home, false);
  };
  document.addEventListener("pointerover", start);
  document.addEventListener("focusin", start);
  document.addEventListener("pointerout", stop);
  document.addEventListener("focusout", stop);
};
