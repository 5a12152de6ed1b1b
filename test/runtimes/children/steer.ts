// Bundled and run by test/runtimes/connect.test.ts, in each runtime: steers the server of the URL.
import { connectMock } from "../../../mocks/connect.ts";

declare const Deno: { readonly args: readonly string[] } | undefined;

/** Opens an account, plays a fault there without an end, and tells what the server says of it. */
export const steer = async (url: string): Promise<unknown> => {
  const mock = connectMock(url);
  await mock.ready();
  const account = await mock.openAccount({ credits: { image: { monthly: 2 } } });
  await account.faults.play({ kind: "html" }, { times: Number.POSITIVE_INFINITY });
  const [planned] = await account.faults.planned();
  const failure = await account.journal.assertOne({ path: /brands$/ }).catch(String);
  const credits = await account.credits();
  const removed = [await account.remove(), await account.remove()];
  return { endless: planned?.remaining === Number.POSITIVE_INFINITY, failure, credits, removed };
};

const [url] = (typeof Deno === "undefined" ? globalThis.process?.argv : Deno.args)?.slice(-1) ?? [];
if (url !== undefined) console.log(JSON.stringify(await steer(url)));
