// Declares what examples use of packages that are not installed here. tools/first-hour plays the
// examples with the packages themselves.
declare module "vue" {
  export interface Ref<T> {
    value: T;
  }
  export const shallowRef: <T>() => Ref<T | undefined>;
  export const watch: <T>(
    source: () => T,
    listener: (value: T, before: T | undefined, onCleanup: (end: () => void) => void) => void,
    options: { immediate: true },
  ) => () => void;
}
declare module "svelte/store" {
  export interface Readable<T> {
    subscribe(run: (value: T) => void): () => void;
  }
  export const readable: <T>(
    first: T,
    start: (set: (value: T) => void) => () => void,
  ) => Readable<T>;
}
declare module "@playwright/test" {
  export { expect, test } from "playwright/test";
}
declare module "cloudflare:workers" {
  export abstract class DurableObject<Env> {
    protected ctx: { readonly storage: DurableObjectStorage };
    protected env: Env;
    alarm?(): Promise<void>;
  }
}
interface DurableObjectStorage {
  get<T>(key: string): Promise<T | undefined>;
  put<T>(key: string, value: T): Promise<void>;
  delete(key: string): Promise<boolean>;
  list<T>(options: { prefix: string }): Promise<Map<string, T>>;
  transaction<T>(run: () => Promise<T>): Promise<T>;
  setAlarm(time: number): Promise<void>;
}
interface DurableObjectNamespace<T> {
  idFromName(name: string): object;
  get(id: object): T;
}
