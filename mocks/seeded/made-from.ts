import type { Action } from "../../src/contract/actions.ts";
import type { BrandLook } from "./brand-look.ts";

/** Facts of a job that its result is made from. */
export interface MadeFrom {
  readonly id: string;
  readonly action: Action;
  readonly prompt: string;
  /** Body of the submission, which may ask for a shape. */
  readonly request?: Readonly<Record<string, unknown>>;
  readonly variations: number;
  /** Seconds; videos only. */
  readonly duration: number | undefined;
  readonly brand?: BrandLook;
}
