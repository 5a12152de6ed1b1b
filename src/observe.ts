/**
 * Calls an observer. What it throws or rejects with is printed and goes no further:
 * a bug in a progress bar must not lose a paid job.
 */
export const observe = <Event, Name extends string>(
  observers: { readonly [N in Name]?: ((event: Event) => unknown) | undefined },
  name: Name,
  event: Event,
): void => {
  const call = async () => observers[name]?.(event);
  call().catch((error) => console.error(`adgen-sdk: ${name} failed`, error));
};
