/** A user of OpenTelemetry, with a provider that notes the spans that end. */
import { type Span, type TracerProvider, trace } from "@opentelemetry/api";
import "adgen-sdk/opentelemetry";
import { createClient, pollJob } from "adgen-sdk";

export const use = async (baseUrl: string): Promise<string> => {
  const ended: string[] = [];
  const startSpan = (name: string) => {
    const setNothing = () => {};
    return { setAttribute: setNothing, setStatus: setNothing, end: () => ended.push(name) };
  };
  const getTracer = () => ({ startSpan: startSpan as unknown as () => Span });
  trace.setGlobalTracerProvider({ getTracer } as unknown as TracerProvider);
  const client = createClient({ baseUrl, apiKey: "test-key" });
  await pollJob(client, await client.jobs.submit({ action: "generate-ad", variations: 1 }));
  return ended.join(", ");
};
