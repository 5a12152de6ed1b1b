// Orders of a page, over a proxy and a service on loopback: reloads, tabs, faults, a full storage.
import { createClient } from "adgen-sdk";
import { createPageOrders, type PageOrder, type PageOrders } from "adgen-sdk/page";
import { createProxy } from "adgen-sdk/proxy";
import { createMemoryStore } from "adgen-sdk/submissions";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { failure } from "../helpers/answers.ts";
import { openService, secretKey } from "../proxy/fake-service.ts";

const request = { action: "generate-ad", prompt: "Lemonade" } as const;
const other = { action: "generate-ad", prompt: "Iced tea" } as const;

let service: Awaited<ReturnType<typeof openService>>;
let proxy: ReturnType<typeof createProxy>;
let shelf: Map<string, string>;
beforeEach(async () => {
  service = await openService();
  const { url: baseUrl } = service;
  const hooks = { onError: () => {} };
  const store = createMemoryStore();
  proxy = createProxy({ baseUrl, apiKey: secretKey, authorize: () => "anna", store, hooks });
  shelf = new Map();
});

/** The longest wait of a test: far more than the busiest machine needs. */
const limitMs = 20_000;
const timers = new Set<NodeJS.Timeout>();
afterEach(() => {
  for (const timer of timers) clearTimeout(timer);
});

/** The same promise, which fails in time and says what was waited for. */
const inTime = <Value>(promise: Promise<Value>, what: () => string): Promise<Value> => {
  const late = Promise.withResolvers<never>();
  const fail = () => late.reject(new Error(`Waited ${limitMs} ms for ${what()}`));
  timers.add(setTimeout(fail, limitMs));
  const ended = Promise.race([promise, late.promise]);
  // Not every test awaits the end of an order.
  ended.catch(() => {});
  return ended;
};

/** Orders whose calls end in time. */
const limited = (orders: PageOrders): PageOrders => {
  const limit =
    <Given extends [slot: string, ...more: unknown[]], Value>(
      name: string,
      call: (...given: Given) => Promise<Value>,
    ) =>
    (...given: Given) => {
      const [slot] = given;
      const state = () => JSON.stringify(orders.snapshot(slot));
      return inTime(call(...given), () => `the end of ${name}("${slot}"), state: ${state()}`);
    };
  return {
    ...orders,
    start: limit("start", orders.start as PageOrders["resume"]) as PageOrders["start"],
    resume: limit("resume", orders.resume) as PageOrders["resume"],
    forget: limit("forget", orders.forget),
  };
};

/** How the network between page and proxy meets the next requests. */
type Weather = (send: () => Promise<Response>) => Promise<Response>;
const lostBefore: Weather = () => Promise.reject(new TypeError("Failed to fetch"));
const lostAfter: Weather = async (send) => {
  await send();
  throw new TypeError("Failed to fetch");
};

interface PageSettings {
  readonly user?: string;
  readonly baseUrl?: string;
  readonly resendMs?: number;
}

/** Opens a page: one that has been left writes nothing any more. */
const openPage = ({ user = "anna", baseUrl = "http://proxy", resendMs }: PageSettings = {}) => {
  let isOpen = true;
  let weather: Weather = (send) => send();
  const send = proxy.fetchAs(user);
  const fetch: typeof globalThis.fetch = (input, init) =>
    // A page that was left sends nothing any more, either.
    isOpen ? weather(() => send(new Request(input, init))) : new Promise(() => {});
  const client = createClient({ baseUrl, apiKey: null, fetch, maxRetries: 0 });
  // That of this day: a page of the day before may still read.
  const own = shelf;
  const storage = {
    getItem: (key: string) => own.get(key) ?? null,
    setItem: (key: string, text: string) => void (isOpen && own.set(key, text)),
    removeItem: (key: string) => void (isOpen && own.delete(key)),
  };
  const poll = { intervalMs: 5 };
  const orders = limited(createPageOrders({ client, user, storage, poll, resendMs }));
  return {
    orders,
    storage,
    meet: (next: Weather) => {
      weather = next;
    },
    leave: () => {
      isOpen = false;
      orders.close();
    },
  };
};

const stateOf = (orders: PageOrders, slot = "hero"): PageOrder => orders.snapshot(slot);

const until = (orders: PageOrders, state: PageOrder["state"], slot = "hero") =>
  vi.waitFor(
    () =>
      expect(stateOf(orders, slot), `the state ${state} was waited for`).toMatchObject({ state }),
    { timeout: limitMs, interval: 1 },
  );

/** Waits until the service has read a submission that it holds back. */
const untilHeld = ({ begun }: { readonly begun: Promise<void> }) =>
  inTime(begun, () => "a submission to reach the service");

const finishJobs = (status = "completed"): void => {
  for (const [id, job] of service.state.things.jobs) {
    service.state.things.jobs.set(id, { ...job, status, result: { images: [] } });
  }
};

describe("an order is paid once", () => {
  test("by two clicks, and its states come one after the other", async () => {
    const { orders } = openPage();
    const seen: string[] = [];
    orders.subscribe(() => void seen.push(stateOf(orders).state));
    expect(stateOf(orders)).toEqual({ state: "none" });
    const [first, second] = [orders.start("hero", request), orders.start("hero", { ...request })];
    await until(orders, "waiting");
    expect(stateOf(orders)).toBe(stateOf(orders));
    await expect
      .poll(() => orders.progress("hero")?.polls, { message: "the first poll", timeout: limitMs })
      .toBeGreaterThan(0);
    finishJobs();
    const end = await first;
    expect(end).toMatchObject({ state: "completed", job_id: "job-1", action: "generate-ad" });
    expect(await second).toBe(end);
    expect(Object.isFrozen(end)).toBe(true);
    expect([...new Set(seen)]).toEqual(["submitting", "waiting", "completed"]);
    expect(service.charges).toHaveLength(1);

    // It is over: the same request is a new order.
    const again = orders.start("hero", request);
    await expect
      .poll(() => service.charges, { message: "the second charge", timeout: limitMs })
      .toHaveLength(2);
    finishJobs("failed");
    expect(await again).toMatchObject({ state: "failed", job_id: "job-2" });
  });

  test("by a listener that resumes it in the middle of each change", async () => {
    const { orders } = openPage();
    orders.subscribe(() => void orders.resume("hero"));
    void orders.start("hero", request);
    await until(orders, "waiting");
    expect(service.sent("POST")).toHaveLength(1);
    finishJobs();
    await until(orders, "completed");
    orders.close();
  });

  test("by a page that is reloaded in the submission, in the wait, and after the end", async () => {
    const hold = service.hold();
    const first = openPage();
    void first.orders.start("hero", request);
    await untilHeld(hold);
    first.leave();
    const second = openPage();
    void second.orders.resume("hero");
    void second.orders.resume("hero");
    await until(second.orders, "submitting");
    hold.open();
    await until(second.orders, "waiting");
    second.leave();
    const third = openPage();
    const end = third.orders.resume("hero");
    await until(third.orders, "waiting");
    finishJobs();
    expect(await end).toMatchObject({ state: "completed", job_id: "job-1" });
    third.leave();
    const fourth = openPage();
    expect(await fourth.orders.resume("hero")).toMatchObject({ state: "completed" });
    expect(await fourth.orders.resume("hero")).toBe(stateOf(fourth.orders));
    expect(service.charges).toHaveLength(1);
    // Neither the prompt nor pictures stay once there is a job.
    expect([...shelf.values()].join()).not.toContain("Lemonade");
  });

  test("by two tabs, of which one begins while the other submits", async () => {
    const [first, second] = [openPage(), openPage()];
    const ends = [first.orders.start("hero", request), second.orders.start("hero", request)];
    await Promise.all([until(first.orders, "waiting"), until(second.orders, "waiting")]);
    finishJobs();
    expect(await Promise.all(ends)).toMatchObject([{ job_id: "job-1" }, { job_id: "job-1" }]);
    expect(service.charges).toHaveLength(1);
  });

  test("whose answer gets lost on its way to the page", async () => {
    const { orders, meet } = openPage();
    meet(lostAfter);
    const lost = await orders.start("hero", request);
    expect(lost).toMatchObject({ state: "error", canResume: true, error: { outcome: "unknown" } });
    meet((send) => send());
    void orders.start("hero", request);
    await until(orders, "waiting");
    expect(service.charges).toHaveLength(1);
    orders.close();
  });

  test("in random days of two tabs, reloads and a bad network", async () => {
    const runs = Number(process.env["PAGE_RUNS"] ?? 60);
    for (let run = 0; run < runs; run += 1) {
      shelf = new Map();
      const before = service.charges.length;
      const tabs = [openPage(), openPage()];
      let seed = run * 7919 + 1;
      const random = (below: number): number => {
        seed = (seed * 48_271) % 2_147_483_647;
        return seed % below;
      };
      const prompt = `Run ${run}`;
      for (let step = 0; step < 8; step += 1) {
        const place = random(2);
        const { orders, meet, leave } = tabs[place] as (typeof tabs)[0];
        meet(
          [lostBefore, lostAfter, (send: () => Promise<Response>) => send()][random(3)] as Weather,
        );
        const deed = random(4);
        if (deed === 0) {
          leave();
          tabs[place] = openPage();
        } else if (deed === 1) void orders.resume("hero");
        else void orders.start("hero", { action: "generate-ad", prompt });
        for (let turn = random(6); turn > 0; turn -= 1) await new Promise(setImmediate);
      }
      for (const { leave } of tabs) leave();
      const last = openPage();
      void last.orders.start("hero", { action: "generate-ad", prompt });
      await until(last.orders, "waiting");
      expect(service.charges.length - before, `run ${run}`).toBe(1);
      last.leave();
    }
  });
});

describe("an order that fails", () => {
  test("is free when it was refused: the same request is sent again, and nothing resumes it", async () => {
    service.play({ answer: failure(402) });
    const { orders, leave } = openPage();
    const refused = await orders.start("hero", request);
    const error = { code: "payment_required", outcome: "refused" };
    expect(refused).toMatchObject({ state: "error", canResume: false, error });
    leave();
    const next = openPage();
    expect(await next.orders.resume("hero")).toEqual({ state: "none" });
    expect(service.charges).toHaveLength(0);
    void next.orders.start("hero", request);
    await until(next.orders, "waiting");
    expect(service.charges).toHaveLength(1);
    next.leave();
  });

  test("is free when it never left, and another request may take the slot", async () => {
    const { orders } = openPage();
    const bad = await orders.start("hero", { ...request, variations: Number.NaN as 1 });
    const message = expect.stringContaining("NaN");
    const error = { code: "invalid_request", message };
    expect(bad).toMatchObject({ state: "error", canResume: false, error });
    void orders.start("hero", other);
    await until(orders, "waiting");
    expect(service.charges).toMatchObject([{ mark: "Iced tea" }]);
    orders.close();
  });

  test("is not sent again when it is too old, and may have been paid", async () => {
    const { orders, meet, leave } = openPage();
    meet(lostAfter);
    await orders.start("hero", request);
    leave();
    const later = openPage({ resendMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 3));
    const at = expect.any(Number);
    const expired = { state: "expired", action: "generate-ad", at };
    expect(await later.orders.resume("hero")).toEqual(expired);
    expect(await later.orders.start("hero", request)).toEqual(expired);
    expect(service.sent("POST")).toHaveLength(1);
    await later.orders.forget("hero");
    expect(stateOf(later.orders)).toEqual({ state: "none" });
    expect(shelf.size).toBe(0);
  });

  test("is kept when a repeat was not sent: the first may have been paid", async () => {
    const notSent: Weather = async () => {
      const headers = { "adgen-outcome": "not-sent" };
      return Response.json({ success: false, data: null, error: "No" }, { status: 503, headers });
    };
    const { orders, meet, leave } = openPage();
    meet(notSent);
    expect(await orders.start("hero", request)).toMatchObject({ state: "error", canResume: false });
    meet(lostAfter);
    await orders.start("hero", request);
    leave();
    const next = openPage();
    next.meet(notSent);
    expect(await next.orders.resume("hero")).toMatchObject({ state: "error", canResume: true });
    next.meet((send) => send());
    void next.orders.resume("hero");
    await until(next.orders, "waiting");
    expect(service.charges).toHaveLength(1);
    next.leave();
  });

  test("in the wait can be resumed", async () => {
    const { orders, meet } = openPage();
    void orders.start("hero", request);
    await until(orders, "waiting");
    meet(async () => Response.json({ success: false, data: null, error: "No" }, { status: 401 }));
    await until(orders, "error");
    const error = expect.objectContaining({ code: "unauthorized", jobId: "job-1" });
    expect(stateOf(orders)).toMatchObject({ canResume: true, job_id: "job-1", error });
    meet((send) => send());
    finishJobs();
    expect(await orders.resume("hero")).toMatchObject({ state: "completed" });
  });
});

describe("the storage", () => {
  const breakIt = (name: "getItem" | "setItem" | "removeItem", page: ReturnType<typeof openPage>) =>
    Object.assign(page.storage, {
      [name]: () => {
        throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
      },
    });

  test.each(["getItem", "setItem"] as const)(
    "that throws in %s lets nothing be sent",
    async (name) => {
      const page = openPage();
      breakIt(name, page);
      const end = await page.orders.start("hero", request);
      const error = expect.objectContaining({ code: "store", outcome: "not-sent" });
      expect(end).toMatchObject({ state: "error", canResume: false, error });
      expect(service.received).toHaveLength(0);
    },
  );

  test("that is missing, as outside a page, lets nothing be sent, and only forget rejects", async () => {
    const client = createClient({ baseUrl: "http://proxy", apiKey: null });
    vi.stubGlobal("localStorage", undefined);
    const orders = limited(createPageOrders({ client, user: "anna" }));
    expect(await orders.resume("hero")).toMatchObject({ state: "error", error: { code: "store" } });
    await expect(orders.forget("hero")).rejects.toMatchObject({ code: "store" });
    vi.unstubAllGlobals();
  });

  test("that fails after the answer costs nothing: the page that comes back asks again", async () => {
    const page = openPage();
    const hold = service.hold();
    void page.orders.start("hero", request);
    await untilHeld(hold);
    breakIt("setItem", page);
    hold.open();
    await until(page.orders, "waiting");
    page.leave();
    const next = openPage();
    void next.orders.resume("hero");
    await until(next.orders, "waiting");
    expect(service.charges).toHaveLength(1);
    next.leave();
  });

  test.each(["{", "[]", '{"version":2}', '{"version":1,"id":"a","at":1,"phase":"sending"}'])(
    "whose order is damaged (%s) says so, until it is forgotten",
    async (text) => {
      const { orders } = openPage();
      shelf.set("adgen-sdk:order:anna:hero", text);
      const end = await orders.start("hero", request);
      expect(end).toMatchObject({ state: "error", error: { code: "store" } });
      expect(String((end as { error: Error }).error.message)).toContain('The order of "hero"');
      await orders.forget("hero");
      void orders.start("hero", request);
      await until(orders, "waiting");
      orders.close();
    },
  );

  test("shows an order to nobody else: another user, another slot", async () => {
    const { orders } = openPage();
    void orders.start("hero", request);
    await until(orders, "waiting");
    const none = { state: "none" };
    expect(await openPage({ user: "bob" }).orders.resume("hero")).toEqual(none);
    expect(await openPage().orders.resume("logo")).toEqual(none);
    orders.close();
  });
});

describe("what is refused", () => {
  test("another request while the slot's order is not over", async () => {
    const { orders } = openPage();
    void orders.start("hero", request);
    await until(orders, "waiting");
    const message = expect.stringContaining('slot "hero" holds another order');
    const error = { code: "invalid_request", outcome: "not-sent", message };
    await expect(orders.start("hero", other)).rejects.toMatchObject(error);
    expect(stateOf(orders)).toMatchObject({ state: "waiting" });
    expect(service.charges).toHaveLength(1);
    orders.close();
  });

  test("slots and requests that are none", async () => {
    const { orders } = openPage();
    const code = "invalid_request";
    for (const slot of ["", "a".repeat(513), 1, undefined]) {
      await expect(orders.start(slot as string, request)).rejects.toMatchObject({ code });
      await expect(orders.resume(slot as string)).rejects.toMatchObject({ code });
      await expect(orders.forget(slot as string)).rejects.toMatchObject({ code });
      expect(() => orders.snapshot(slot as string)).toThrow("slot must be text");
    }
    for (const bad of [undefined, null, "generate-ad", { action: "generate-ad", n: 1n }]) {
      await expect(orders.start("hero", bad as never)).rejects.toMatchObject({ code });
    }
    expect(service.received).toHaveLength(0);
  });

  test("no client of your own, which has no memory", async () => {
    const { storage } = openPage();
    const client = { jobs: { submit: async () => ({ job_id: "job-9" }), get: async () => {} } };
    const orders = createPageOrders({ client: client as never, user: "anna", storage });
    expect(await orders.resume("hero")).toEqual({ state: "none" });
  });

  test("an order of orders that are closed: nothing is sent, and nobody is told", async () => {
    const { orders } = openPage();
    const told = vi.fn();
    const before = orders.start("hero", request);
    orders.subscribe(told);
    orders.close();
    expect(await before).toEqual({ state: "none" });
    const message = expect.stringContaining("these orders are closed: create new ones");
    const error = { code: "invalid_request", outcome: "not-sent", message };
    await expect(orders.start("logo", other)).rejects.toMatchObject(error);
    await expect(orders.resume("hero")).rejects.toMatchObject(error);
    expect(stateOf(orders)).toEqual({ state: "none" });
    expect(orders.progress("hero")).toBeUndefined();
    orders.close();
    expect([service.received, told.mock.calls]).toEqual([[], []]);

    // The click before the end was not lost.
    const next = openPage();
    void next.orders.resume("hero");
    await until(next.orders, "waiting");
    expect(service.charges).toHaveLength(1);
    await orders.forget("hero");
    expect(shelf.size).toBe(0);
    next.leave();
  });

  test.each(["close", "forget"] as const)("an order after a %s just before it", async (end) => {
    for (let turns = 0; turns < 8; turns += 1) {
      const { orders, leave } = openPage();
      const sent = service.received.length;
      const states: string[] = [];
      orders.subscribe(() => states.push(stateOf(orders).state));
      const ended = Promise.withResolvers<void>();
      vi.spyOn(shelf, "set").mockImplementationOnce((key, text) => {
        let turn = Promise.resolve();
        for (let before = 0; before < turns; before += 1) turn = turn.then(() => {});
        turn.then(() => orders[end]("hero")).then(ended.resolve);
        return shelf.set(key, text);
      });
      await orders.start("hero", request);
      await ended.promise;
      leave();
      // Whatever was sent has reached the service before this.
      const next = openPage();
      void next.orders.start("logo", { ...other, prompt: `${turns}` });
      await until(next.orders, "waiting", "logo");
      next.leave();
      shelf.clear();
      // Polls have no body.
      const bodies = service.received.slice(sent).flatMap(({ body }) => body || []);
      const prompts = bodies.map((body) => JSON.parse(body).prompt);
      expect([turns, prompts.includes(request.prompt)]).toEqual([
        turns,
        states.includes("submitting"),
      ]);
    }
  });

  test.each([
    [{ client: {} }, "client must be a client"],
    [{ client: undefined }, "createPageOrders needs client"],
    [{ user: undefined }, "createPageOrders needs user"],
    [{ user: "" }, "user must be text of 1 to 512 characters"],
    [{ storage: {} }, "storage must be a Storage"],
    [{ resendMs: 0 }, "resendMs must be a number of milliseconds"],
    [{ poll: 1 }, "poll must be an object"],
    [{ ttl: 1 }, 'createPageOrders has no option "ttl"'],
  ])("the option in %o", (change, message) => {
    const client = createClient({ baseUrl: "http://proxy", apiKey: null });
    const make = () => createPageOrders({ client, user: "anna", ...change } as never);
    expect(make).toThrow(message);
  });
});
