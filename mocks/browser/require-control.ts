/** Longest time in milliseconds until a worker that is active has taken a page over. */
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
 * Makes sure that the worker of MSW gets the page's requests. Outside of its scope MSW only prints
 * a warning, and they would reach the real service.
 *
 * @returns Function that tells whether it still gets them: another worker may come later
 * @throws Error that says what to do, when it does not get them
 */
export const requireControl = async (): Promise<() => boolean> => {
  // Without service workers, as on a page of `http:`, MSW intercepts requests in the page itself.
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
