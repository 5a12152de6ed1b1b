// Entry for a page of another origin: the test calls these functions, as a hostile page would.
const job = JSON.stringify({ action: "generate-ad", prompt: "Not by Ada" });
const json = { "content-type": "application/json" };
const withCookies = { credentials: "include" } as const;

const create = <Name extends keyof HTMLElementTagNameMap>(name: Name, properties: object) =>
  Object.assign(document.createElement(name), properties);

/** Adds an element, and waits until it has loaded, or failed to. */
const load = (element: HTMLElement): Promise<string> =>
  new Promise((resolve) => {
    for (const event of ["load", "error"]) {
      element.addEventListener(event, () => resolve("nothing"), { once: true });
    }
    document.body.append(element);
  });

/** Sends the job as a form, whose body is JSON where its type allows it. */
const sendForm =
  (enctype: string) =>
  async (target: string): Promise<string> => {
    const frame = create("iframe", { name: `frame-${Math.random()}` });
    await load(frame);
    const action = `${target}/v1/jobs`;
    const form = create("form", { method: "post", action, enctype, target: frame.name });
    // A form of type text/plain sends the name, "=" and the value, which together are JSON.
    form.append(
      create("input", { name: `${job.slice(0, -1)},"more":"`, value: '"}', type: "hidden" }),
    );
    document.body.append(form);
    const answered = new Promise((resolve) => frame.addEventListener("load", resolve));
    form.submit();
    await answered;
    return "nothing";
  };

/** Makes a request, and tells what the page can read of the answer. */
const ask =
  (path: string, init: RequestInit) =>
  async (target: string): Promise<string> => {
    try {
      const response = await fetch(`${target}${path}`, { ...withCookies, ...init });
      return (await response.text()) || "nothing";
    } catch {
      return "nothing";
    }
  };

const post = (init: RequestInit) => ask("/v1/jobs", { method: "POST", body: job, ...init });

/** Sends from a sandboxed frame, whose requests have the header `Origin: null`. */
const sendFromSandbox = async (target: string): Promise<string> => {
  const answered = new Promise((resolve) => addEventListener("message", resolve, { once: true }));
  const init = JSON.stringify({ method: "POST", body: job, mode: "no-cors", ...withCookies });
  const url = JSON.stringify(`${target}/v1/jobs`);
  const code = `fetch(${url}, ${init}).finally(() => parent.postMessage(0, "*"))`;
  await load(create("iframe", { sandbox: "allow-scripts", srcdoc: `<script>${code}</script>` }));
  await answered;
  return "nothing";
};

const beacon = (type: string) => (target: string) => {
  navigator.sendBeacon(`${target}/v1/jobs`, new Blob([job], { type }));
  return "nothing";
};

const show = (name: "img" | "script" | "iframe") => (target: string) =>
  load(create(name, { src: `${target}/v1/jobs` }));

/** Each way for a page to make another origin act. A way returns what the page could read. */
const attacks: Record<string, (target: string) => Promise<string> | string> = {
  "a form of type text/plain": sendForm("text/plain"),
  "a form that is URL-encoded": sendForm("application/x-www-form-urlencoded"),
  "a form of several parts": sendForm("multipart/form-data"),
  "a POST of text without CORS": post({ mode: "no-cors" }),
  "a POST of text with CORS": post({}),
  "a POST of JSON": post({ headers: json }),
  "a POST with a call id": post({ headers: { "idempotency-key": "a" } }),
  "a POST by way of its own server": (target) => {
    const own = `/redirect?to=${encodeURIComponent(`${target}/v1/jobs`)}`;
    return ask(own, { method: "POST", body: job, mode: "no-cors" })("");
  },
  "a POST of a sandbox": sendFromSandbox,
  "a DELETE": ask("/v1/brands/b", { method: "DELETE" }),
  "a PATCH": ask("/v1/brands/b", { method: "PATCH", body: "{}" }),
  "a GET without CORS": ask("/v1/jobs", { mode: "no-cors" }),
  "a GET with CORS": ask("/v1/jobs", {}),
  "a beacon of text": beacon("text/plain"),
  "a beacon of JSON": beacon("application/json"),
  "an image": show("img"),
  "a script": show("script"),
  "a frame": show("iframe"),
  // A link leaves the page for the answer, so the person sees the answer, and the page does not.
  "a link": (target) => {
    setTimeout(() => location.assign(`${target}/v1/jobs`));
    return "nothing";
  },
};

export type Attacks = typeof attacks;

Object.assign(globalThis, { attacks });
