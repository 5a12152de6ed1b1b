/** Maximum number of milliseconds that an active worker needs to take over a page. */
const takeOverMs = 1_000;

/** Waits until a service worker controls this page, so that it gets the page's requests. */
const waitForControl = (container: ServiceWorkerContainer): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, takeOverMs);
    const stop = (): void => {
      clearTimeout(timer);
      resolve();
    };
    container.addEventListener("controllerchange", stop, { once: true });
  });

/**
 * Checks that MSW's worker gets the page's requests. For a page outside its scope, MSW only prints a
 * warning, and the requests would reach the real service.
 *
 * @returns Function that returns whether it still gets them, because another worker may come later
 * @throws Error that says what to do, when it doesn't get them
 */
export const requireControl = async (): Promise<() => boolean> => {
  // Without service workers, as on an insecure page, MSW intercepts requests in the page itself.
  const container = globalThis.navigator?.serviceWorker;
  if (container === undefined || location.protocol === "file:") return () => true;
  if (container.controller === null) await waitForControl(container);
  const own = container.controller?.scriptURL;
  if (own !== undefined) return () => container.controller?.scriptURL === own;
  throw new Error(
    "The mock does not start, because MSW's service worker does not control this page: requests " +
      "would reach the real service. Serve mockServiceWorker.js from the root of your site, and " +
      "name its address by workerUrl.",
  );
};
