/** Opens files of results in a page. */
import { openFile } from "adgen-sdk/files";

/** What became of one file: its size in bytes, or what a page can print of the error. */
const openInPage = async (url: string): Promise<number | string> => {
  try {
    const { body } = await openFile(url);
    const reader = body.getReader();
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return bytes;
      bytes += value.byteLength;
    }
  } catch (error) {
    const { stack, cause } = error as Error;
    return [JSON.stringify(error), error, stack, cause, (cause as Error | undefined)?.stack].join();
  }
};

export type OpenInPage = typeof openInPage;

Object.assign(globalThis, { openInPage });
