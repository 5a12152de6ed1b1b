import type { Action } from "../../src/contract/actions.ts";

/** Facts of a job that its result is made from. */
export interface MadeFrom {
  readonly id: string;
  readonly action: Action;
  readonly prompt: string;
  readonly variations: number;
  /** Seconds; videos only. */
  readonly duration: number | undefined;
  /** Name of its brand. */
  readonly brand?: string;
}
