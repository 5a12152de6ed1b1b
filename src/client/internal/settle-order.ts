/** Yields the results of promises in the order in which they settle. */
export async function* inSettleOrder<T>(promises: readonly Promise<T>[]): AsyncGenerator<T, void> {
  const settled: Promise<T>[] = [];
  let wake = (): void => {};
  for (const promise of promises) {
    const add = (): void => {
      settled.push(promise);
      wake();
    };
    promise.then(add, add);
  }
  for (const place of promises.keys()) {
    if (settled.length === place) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    // A rejection is thrown when the reader reaches it.
    yield (await settled[place]) as T;
  }
}
