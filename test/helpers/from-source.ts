// `node --import ./test/helpers/from-source.ts examples/…` makes an example import "adgen-sdk" from
// the sources, so that no build is needed.
import { registerHooks } from "node:module";
import { entries, specifierOf } from "../../tools/entries.ts";

const sources = new Map<string, string>(
  Object.entries(entries).map(([entry, source]) => [
    specifierOf(entry),
    new URL(`../../${source}`, import.meta.url).href,
  ]),
);

registerHooks({
  resolve: (specifier, context, next) => next(sources.get(specifier) ?? specifier, context),
});
