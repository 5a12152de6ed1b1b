/** Values from many sources for one reader, in the order in which they come. */
export interface Arrivals<Value> {
  readonly push: (value: Value) => void;
  /** Takes the next value; waits where there is none. */
  readonly take: () => Promise<Value>;
}

/** Makes the line in which values wait for their reader. */
export const createArrivals = <Value>(): Arrivals<Value> => {
  const line: Value[] = [];
  let wake = () => {};
  return {
    push: (value) => {
      line.push(value);
      wake();
    },
    take: async () => {
      while (line.length === 0) {
        await new Promise<void>((arrived) => {
          wake = arrived;
        });
      }
      return line.shift() as Value;
    },
  };
};
