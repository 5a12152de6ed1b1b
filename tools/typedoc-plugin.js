import { Converter, ReflectionKind } from "typedoc";

/** Groups of the guides in the site's navigation, by their subject: a guide, or all of a folder. */
const groups = {
  "docs/guides/client": "Client",
  "docs/guides/schemas": "Client",
  "docs/guides/saving-results": "Client",
  "docs/guides/errors": "Client",
  "docs/guides/hooks": "Client",
  "docs/guides/waiting": "Waiting",
  "docs/guides/durable-engines": "Waiting",
  "docs/guides/paying-once": "Paying once",
  "docs/guides/fleet": "Paying once",
  "docs/guides/pages": "Pages",
  "docs/guides": "Help and reference",
  "docs/testing": "Testing with the mock",
  "docs/service": "Help and reference",
};

/**
 * Names a guide in the navigation by its first heading, and groups it by its subject. TypeDoc would
 * want both in front matter, which GitHub shows as a table.
 *
 * @param {import("typedoc").DocumentReflection} document
 */
const nameDocument = (document) => {
  const folder = document.name.slice(0, document.name.lastIndexOf("/"));
  document.frontmatter["group"] = groups[document.name] ?? groups[folder] ?? "Contributing";
  const text = document.content.map((part) => part.text).join("");
  const [, heading] = /^# (.+)$/m.exec(text) ?? [];
  if (heading !== undefined) document.name = heading;
};

/**
 * Whether a field is part of the type of a parameter: TypeDoc asks for no comment there, and for no
 * excuse either.
 *
 * @param {import("typedoc").Reflection | undefined} field
 */
const isOfParameter = (field) =>
  field !== undefined && (field.kindOf(ReflectionKind.Parameter) || isOfParameter(field.parent));

/**
 * Lets fields of an inline type (`{ ok: true; … }`, a mapped type) go without a comment: the
 * comment stands where the type is used. Everything else that is public needs one.
 *
 * @param {import("typedoc").ProjectReflection} project
 * @param {import("typedoc").Options} options
 */
const excuseInlineFields = (project, options) => {
  const names = new Set();
  for (const field of project.getReflectionsByKind(ReflectionKind.Property)) {
    const isInline = field.parent?.kindOf(ReflectionKind.TypeLiteral);
    if (isInline && !isOfParameter(field) && !field.hasComment())
      names.add(field.getFriendlyFullName());
  }
  options.setValue("intentionallyNotDocumented", [...names]);
};

/** Interfaces that make promises of another one's methods: the comments stand there. */
const originals = {
  ConnectedMock: "MockService",
  ConnectedAccount: "MockAccount",
};

/**
 * Copies the comments of the service's methods to their namesakes of `connectMock`. TypeDoc keeps
 * the comments of values in a mapped type, and loses those of methods.
 *
 * @param {import("typedoc").ProjectReflection} project
 */
const copyComments = (project) => {
  const signatures = project.getReflectionsByKind(ReflectionKind.CallSignature);
  for (const signature of signatures) {
    const original = originals[signature.parent?.parent?.name];
    if (original === undefined || signature.hasComment()) continue;
    const namesake = signatures.find(
      ({ name, parent }) => name === signature.name && parent?.parent?.name === original,
    );
    signature.comment = namesake?.comment?.clone();
  }
};

/** @param {import("typedoc").Application} app */
export const load = (app) => {
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => nameDocument(document));
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    copyComments(project);
    excuseInlineFields(project, app.options);
  });
};
