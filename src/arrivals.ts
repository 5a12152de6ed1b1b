/** Results for one reader, in the order in which they come. */
export const createArrivals = <T>(count: number) => {
  const waiting: ((settled?: Promise<T>) => void)[] = [];
  const results = Array.from(
    { length: count },
    () => new Promise<T | undefined>((resolve) => waiting.push(resolve)),
  );
  // A bug is thrown where the reader comes to it, and nowhere else.
  for (const result of results) result.catch(() => {});
  return {
    give: (settled: T): void => waiting.shift()?.(Promise.resolve(settled)),
    fail: (error: unknown): void => waiting.shift()?.(Promise.reject(error)),
    /** Ends the reading after what has come so far. */
    end: (): void => {
      for (const give of waiting) give();
    },
    async *read(): AsyncGenerator<T, void, undefined> {
      for (const result of results) {
        const settled = await result;
        if (settled === undefined) return;
        yield settled;
      }
    },
  };
};
