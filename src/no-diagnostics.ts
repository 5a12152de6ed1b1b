/* Takes the place of diagnostics.ts in bundles for browsers, where no tracer listens. */

export const traceSubmit = <Value>(
  _fields: object,
  _once: string | undefined,
  run: () => Promise<Value>,
): Promise<Value> => run();

export const tracePoll = <Value>(_jobId: unknown, run: () => Promise<Value>): Promise<Value> =>
  run();

export const traceWait = <Value>(_wait: object, run: () => Promise<Value>): Promise<Value> => run();
