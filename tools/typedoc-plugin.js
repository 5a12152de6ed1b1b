import { Converter, ReflectionKind } from "typedoc";

/**
 * Everything public needs a comment, but not each field of an inline type (`{ ok: true; … }`, a
 * mapped type): what has that type is documented.
 *
 * @param {import("typedoc").Application} app
 */
export const load = (app) => {
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    const names = new Set();
    for (const field of project.getReflectionsByKind(ReflectionKind.Property)) {
      const isInline = field.parent?.kindOf(ReflectionKind.TypeLiteral);
      if (isInline && !field.hasComment()) names.add(field.getFriendlyFullName());
    }
    app.options.setValue("intentionallyNotDocumented", [...names]);
  });
};
