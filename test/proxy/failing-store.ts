import { openProxy } from "./proxy-under-test.ts";
import { createMapStore, type StoreCall, watchStore } from "./test-store.ts";

/** Limits of each owner. */
export const limits = [{ windowMs: 86_400_000, jobs: 7, imageCredits: 70 }];

/** A proxy whose store meets each step as a test says. */
export const withStore = async (meet: (call: StoreCall) => unknown) => {
  const memory = createMapStore();
  let isWell = true;
  let broken = 0;
  const store = watchStore(memory.store, (call) => {
    if (isWell) return call.go();
    broken++;
    return meet({ ...call, number: broken });
  });
  const stage = await openProxy({ store, limits, storeTimeoutMs: 25 });
  const used = async () => (await stage.proxy.usage("ann")).map(({ used }) => used);
  return {
    ...{ ...stage, memory, used },
    /** Steps that met the failure. */
    steps: () => broken,
    fail: () => {
      isWell = false;
    },
    heal: () => {
      isWell = true;
    },
  };
};
