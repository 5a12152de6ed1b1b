// @ts-check
/** Script of the page: it updates what has changed every second, and runs the commands of buttons. */

let shown = "";

/**
 * Updates a list. Unchanged children stay in the document, so that a video plays on.
 *
 * @param {Element} list
 * @param {Element} next
 */
const renew = (list, next) => {
  const nodes = [...next.children].map((after) => {
    const before = document.getElementById(after.id);
    return before?.isEqualNode(after) ? before : after;
  });
  for (const child of [...list.children]) if (!nodes.includes(child)) child.remove();
  nodes.forEach((node, place) => {
    const there = list.children[place] ?? null;
    if (there !== node) list.insertBefore(node, there);
  });
};

const refresh = async () => {
  const answer = await fetch(location.href).catch(() => undefined);
  document.body.classList.toggle("gone", answer === undefined);
  const text = (await answer?.text()) ?? shown;
  if (text === shown) return;
  shown = text;
  const next = new DOMParser().parseFromString(text, "text/html");
  // Open details stay open.
  for (const { id } of document.querySelectorAll("details[open]"))
    next.getElementById(id)?.setAttribute("open", "");
  for (const part of document.querySelectorAll("[data-live]")) {
    const after = next.getElementById(part.id);
    if (after === null || part.isEqualNode(after)) continue;
    if (after.childElementCount > 0 || part.childElementCount > 0) renew(part, after);
    else part.textContent = after.textContent;
  }
};

/** @param {string} words */
const say = (words) => {
  const said = document.getElementById("said");
  if (said !== null) said.textContent = words;
};

document.addEventListener("click", async ({ target }) => {
  if (!(target instanceof HTMLButtonElement)) return;
  const { command, given, confirm: question } = target.dataset;
  if (command === undefined || (question && !confirm(question))) return;
  const headers = { "content-type": "application/json" };
  const init = { method: "POST", headers, body: given ?? "[]" };
  const response = await fetch(`/__mock/${command}`, init).catch(() => undefined);
  const { error } = (await response?.json()) ?? { error: "The server no longer answers" };
  say(error ?? "");
  await refresh();
});

setInterval(() => document.visibilityState === "visible" && refresh(), 1_000);
