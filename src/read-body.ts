/**
 * Reads a body as text, counting decoded bytes as they come: `undefined` when there are more
 * than `maxBytes`. The rest is then not read; neither is it after an abort.
 */
export const readBody = async (
  response: Response,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string | undefined> => {
  // Some custom fetches have no streams.
  if (!response.body) return response.text();
  const reader = response.body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
};
