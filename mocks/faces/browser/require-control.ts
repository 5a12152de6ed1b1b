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
 * @throws Error that says what to do, when it does not get them
 */
export const requireControl = async (): Promise<void> => {
  // Without service workers, as on a page of `http:`, MSW intercepts requests in the page itself.
  const container = globalThis.navigator?.serviceWorker;
  if (container === undefined || location.protocol === "file:") return;
  if (container.controller === null) await waitForControl(container);
  if (container.controller !== null) return;
  throw new Error(
    "The mock does not start, because MSW's service worker does not control this page: requests " +
      "would reach the real service. Serve mockServiceWorker.js from the root of your site, and " +
      "name its address by workerUrl.",
  );
};
