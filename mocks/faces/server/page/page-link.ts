// This file's function is sent to the browser as text: nothing in it may come from outside.
import type { Overview } from "./admin-state.ts";
import type { Dom } from "./page-dom.ts";

/** What the server shows, and the time there. */
export interface Seen extends Overview {
  readonly now: number;
}

/** The page's one connection: looks at the state about once a second, and carries out orders. */
export const createLink = ({ byId }: Dom) => {
  const pauseMs = 1_000;
  const longestMs = 15_000;
  let etag = "";
  let seen: Overview | undefined;
  let show: (seen: Seen) => void = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  let looking: Promise<void> | undefined;
  let wipe: ReturnType<typeof setTimeout> | undefined;

  /** Says it on the screen, and to a screen reader. */
  const say = (text: string, kind: "done" | "failed" = "done"): void => {
    const message = byId("message");
    message.textContent = text;
    message.dataset["kind"] = kind;
    clearTimeout(wipe);
    wipe = setTimeout(() => message.replaceChildren(), 6_000);
  };

  const setConnected = (connected: boolean): void => {
    const state = connected ? "live" : "gone";
    const { dataset } = document.documentElement;
    if (dataset["link"] === state) return;
    if (dataset["link"] === "gone") say("The server is back");
    dataset["link"] = state;
    byId("link").textContent = connected ? "Live" : "Server is gone. Trying again…";
  };

  const look = async (): Promise<void> => {
    try {
      const response = await fetch("/__mock/state", {
        cache: "no-store",
        headers: etag ? { "if-none-match": etag } : {},
        signal: AbortSignal.timeout(longestMs),
      });
      if (response.status === 200) {
        const body = (await response.json()) as { data: Overview };
        seen = body.data;
        etag = response.headers.get("etag") ?? "";
      } else if (response.status !== 304) throw new Error(`HTTP ${response.status}`);
      setConnected(true);
      if (seen) show({ ...seen, now: Number(response.headers.get("x-mock-now")) });
    } catch {
      setConnected(false);
    }
  };

  /** Looks now, and again in a second; not while nobody can see the page. */
  const refresh = async (): Promise<void> => {
    clearTimeout(timer);
    // The look under way may have missed what has just happened.
    await looking;
    looking = look();
    await looking;
    clearTimeout(timer);
    if (document.visibilityState === "visible") timer = setTimeout(() => void refresh(), pauseMs);
  };

  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<unknown> => {
    const response = await fetch(path, {
      method,
      headers: { "content-type": "application/json", ...headers },
      signal: AbortSignal.timeout(longestMs),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const { data, error } = (await response.json()) as { data: unknown; error: string | null };
    if (!response.ok) throw new Error(error ?? `HTTP ${response.status}`);
    return data;
  };

  /** Carries an order out, says how it went, and shows what has become of it. */
  const order = async (done: string, ...request: Parameters<typeof ask>): Promise<boolean> => {
    let carriedOut = false;
    try {
      await ask(...request);
      carriedOut = true;
      say(done);
    } catch (error) {
      say(error instanceof Error ? error.message : String(error), "failed");
    }
    await refresh();
    return carriedOut;
  };

  /** What a form holds, without what was left empty. */
  const read = (form: HTMLFormElement): Record<string, string> =>
    Object.fromEntries(
      [...new FormData(form)].flatMap(([name, value]) =>
        typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [],
      ),
    );

  const onSubmit = (id: string, send: (values: Record<string, string>) => unknown): void => {
    const form = byId<HTMLFormElement>(id);
    form.onsubmit = (event) => {
      event.preventDefault();
      void send(read(form));
    };
  };

  const start = (showSeen: (seen: Seen) => void): void => {
    show = showSeen;
    document.addEventListener("visibilitychange", () => void refresh());
    void refresh();
  };

  return { ask, order, read, onSubmit, say, start };
};

export type Link = ReturnType<typeof createLink>;
