// Entry for a page of another origin: the test calls these functions, as a hostile page would.
const job = JSON.stringify({ action: "generate-ad", prompt: "Not by Ada" });
const json = { "content-type": "application/json" };
const withCookies = { credentials: "include" } as const;

/** Adds an element, and waits until it has loaded, or failed to. */
const load = (element: HTMLElement, parent: Element = document.body): Promise<void> =>
  new Promise((resolve) => {
    element.addEventListener("load", () => resolve());
    element.addEventListener("error", () => resolve());
    parent.append(element);
  });

const create = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
): HTMLElementTagNameMap[Name] => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};

/** Makes a form whose body is the job where its type allows it. */
const formOf = (action: string, enctype: string, target: string): HTMLFormElement => {
  const form = create("form", { method: "post", action, enctype, target });
  // As text the body is name, "=", value: together they are JSON.
  form.append(
    create("input", { name: `${job.slice(0, -1)},"more":"`, value: '"}', type: "hidden" }),
  );
  document.body.append(form);
  return form;
};

const sendForm = async (action: string, enctype: string): Promise<string> => {
  const name = `frame-${Math.random()}`;
  await load(create("iframe", { name }));
  const frame = document.querySelector(`iframe[name="${name}"]`);
  const answered = new Promise((resolve) => frame?.addEventListener("load", resolve));
  formOf(action, enctype, name).submit();
  await answered;
  return "nothing";
};

/** Sends a request, and tells what the page can read of the answer. */
const tryFetch = async (url: string, init: RequestInit): Promise<string> => {
  try {
    const response = await fetch(url, { ...withCookies, ...init });
    return (await response.text()) || "nothing";
  } catch {
    return "nothing";
  }
};

const show = async (name: "img" | "script" | "iframe", src: string): Promise<string> => {
  await load(create(name, { src }));
  return "nothing";
};

/** A page without an origin: it sends `Origin: null`. */
const sendFromSandbox = async (url: string): Promise<string> => {
  const answered = new Promise((resolve) => addEventListener("message", resolve, { once: true }));
  const init = JSON.stringify({ method: "POST", body: job, mode: "no-cors", ...withCookies });
  const code = `fetch(${JSON.stringify(url)}, ${init}).finally(() => parent.postMessage(0, "*"))`;
  await load(create("iframe", { sandbox: "allow-scripts", srcdoc: `<script>${code}</script>` }));
  await answered;
  return "nothing";
};

/** Posts the job, to the target's own path or to another one. */
const post =
  (init: RequestInit) =>
  (target: string, url = `${target}/v1/jobs`): Promise<string> =>
    tryFetch(url, { method: "POST", body: job, ...init });

/** Each way of a page to make another origin do something; it tells what the page has read. */
const attacks: Record<string, (target: string) => Promise<string> | string> = {
  "a form of type text/plain": (target) => sendForm(`${target}/v1/jobs`, "text/plain"),
  "a form that is URL-encoded": (target) =>
    sendForm(`${target}/v1/jobs`, "application/x-www-form-urlencoded"),
  "a form of several parts": (target) => sendForm(`${target}/v1/jobs`, "multipart/form-data"),
  "a POST of text without CORS": post({ mode: "no-cors" }),
  "a POST of text with CORS": post({}),
  "a POST of JSON": post({ headers: json }),
  "a POST with a call id": post({ headers: { "idempotency-key": "a" } }),
  "a POST by way of its own server": (target) =>
    post({ mode: "no-cors" })(target, `/redirect?to=${encodeURIComponent(`${target}/v1/jobs`)}`),
  "a POST of a sandbox": (target) => sendFromSandbox(`${target}/v1/jobs`),
  "a DELETE": (target) => tryFetch(`${target}/v1/brands/b`, { method: "DELETE" }),
  "a PATCH": (target) => tryFetch(`${target}/v1/brands/b`, { method: "PATCH", body: "{}" }),
  "a GET without CORS": (target) => tryFetch(`${target}/v1/jobs`, { mode: "no-cors" }),
  "a GET with CORS": (target) => tryFetch(`${target}/v1/jobs`, {}),
  "a beacon of text": (target) => {
    navigator.sendBeacon(`${target}/v1/jobs`, job);
    return "nothing";
  },
  "a beacon of JSON": (target) => {
    navigator.sendBeacon(`${target}/v1/jobs`, new Blob([job], { type: json["content-type"] }));
    return "nothing";
  },
  "an image": (target) => show("img", `${target}/v1/jobs`),
  "a script": (target) => show("script", `${target}/v1/jobs`),
  "a frame": (target) => show("iframe", `${target}/v1/jobs`),
};

/** Ways that take the whole tab along: the person sees the answer, the page does not. */
const departures = {
  "a form": (target: string) => formOf(`${target}/v1/jobs`, "text/plain", "_top").submit(),
  "a link": (target: string) => location.assign(`${target}/v1/jobs`),
};

export type Attacks = typeof attacks;
export type Departures = typeof departures;

Object.assign(globalThis, { attacks, departures });
