// @ts-check
/** Script of the page: it renews what has changed once a second, and runs the commands of buttons. */

let shown = "";

const refresh = async () => {
  const answer = await fetch(location.href).catch(() => undefined);
  document.body.classList.toggle("gone", answer === undefined);
  const text = (await answer?.text()) ?? shown;
  if (text === shown) return;
  shown = text;
  const next = new DOMParser().parseFromString(text, "text/html");
  // What is open stays open.
  for (const { id } of document.querySelectorAll("details[open]"))
    next.getElementById(id)?.setAttribute("open", "");
  for (const part of document.querySelectorAll("[data-live]")) {
    const after = next.getElementById(part.id);
    if (after !== null && !part.isEqualNode(after)) part.replaceWith(after);
  }
};

document.addEventListener("click", async ({ target }) => {
  if (!(target instanceof HTMLButtonElement)) return;
  const { command, given, confirm: question } = target.dataset;
  if (command === undefined || (question && !confirm(question))) return;
  const headers = { "content-type": "application/json" };
  const response = await fetch(`/__mock/${command}`, {
    method: "POST",
    headers,
    body: given ?? "[]",
  });
  const { error } = await response.json();
  if (error) alert(error);
  await refresh();
});

setInterval(() => document.visibilityState === "visible" && refresh(), 1_000);
