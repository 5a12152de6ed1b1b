/** A mock service at one moment, as plain JSON: for `restore`, now or in another process. */
export interface MockSnapshot {
  /** Of the format. */
  readonly version: 1;
  /** The service's time, in milliseconds since 1970. */
  readonly at: number;
  readonly [field: string]: unknown;
}
