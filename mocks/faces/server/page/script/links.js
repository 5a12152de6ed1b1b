// @ts-check
/**
 * Links within the page, marked by `data-go`. They change the page in its place, so that what is
 * half filled in, opened or running stays. Without this script they are ordinary links.
 */

/** Writes the address's choices into the forms that filter. */
const fill = () => {
  const { searchParams } = new URL(location.href);
  for (const form of document.querySelectorAll("form[data-choose]")) {
    for (const field of /** @type {HTMLFormElement} */ (form).elements) {
      if (!(field instanceof HTMLInputElement || field instanceof HTMLSelectElement)) continue;
      const value = searchParams.get(field.name) ?? "";
      if (field.value.trim() !== value) field.value = value;
    }
  }
};

/** Takes the user to the part of the page that a link names. */
const arrive = (/** @type {string} */ id, stay = false) => {
  const target = id === "" ? null : document.getElementById(id);
  if (target === null) return;
  if (!stay) target.scrollIntoView({ block: "start" });
  target.focus({ preventScroll: true });
};

/** Follows the links of the page, and its way back. */
export const watchLinks = (/** @type {() => Promise<void>} */ refresh) => {
  document.addEventListener("click", (event) => {
    const { target, button, ctrlKey, metaKey, shiftKey, altKey } = event;
    const link = target instanceof Element ? target.closest("a[data-go]") : null;
    if (!(link instanceof HTMLAnchorElement)) return;
    if (button !== 0 || ctrlKey || metaKey || shiftKey || altKey) return;
    event.preventDefault();
    const { href, hash } = link;
    const stay = link.hasAttribute("data-stay");
    history.pushState(null, "", href);
    fill();
    void refresh().then(() => arrive(hash.slice(1), stay));
  });
  addEventListener("popstate", () => {
    fill();
    void refresh();
  });
};
