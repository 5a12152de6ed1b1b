import { readFileSync } from "node:fs";
import { join, normalize } from "node:path/posix";
import { Application, Converter, JSX, ReflectionKind } from "typedoc";

const first = "Start here";
const last = "This code";

/** Subjects of the guides, and the documents of each, as the table of all guides has them. */
const readSubjects = () => {
  const tasks = readFileSync("docs/tasks.md", "utf8");
  const table = tasks.slice(tasks.indexOf("\n## All guides\n"));
  const rows = [...table.matchAll(/^\| ([a-z ]+) \| (.+) \|$/gm)].filter(([, , cell]) =>
    cell.includes("]("),
  );
  return rows.map(([, subject, cell]) => ({
    subject: subject[0].toUpperCase() + subject.slice(1),
    paths: Array.from(cell.matchAll(/\]\(([^)]+)\)/g), ([, link]) => normalize(join("docs", link))),
  }));
};

const subjects = readSubjects();
const groups = new Map(subjects.flatMap(({ subject, paths }) => paths.map((p) => [p, subject])));
for (const path of ["docs/tasks.md", "AGENTS.md"]) groups.set(path, first);

/**
 * Names a guide in the navigation by its first heading, and groups it by its subject. TypeDoc would
 * want both in front matter, which GitHub shows as a table.
 *
 * @param {import("typedoc").DocumentReflection} document
 */
const nameDocument = (document) => {
  document.frontmatter["group"] = groups.get(`${document.name}.md`) ?? last;
  const text = document.content.map((part) => part.text).join("");
  const [, heading] = /^# (.+)$/m.exec(text) ?? [];
  if (heading !== undefined) document.name = heading;
};

/** @param {import("typedoc").Reflection} document */
const isAboutService = ({ name }) => name === "Documented and assumed";

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

/** Interfaces that are mapped from another interface, which has the comments of their methods. */
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

/**
 * Links `@see API v1, section 3` to the page about that document, which is not part of this
 * package.
 *
 * @param {import("typedoc").ProjectReflection} project
 */
const linkSections = (project) => {
  const target = project.getReflectionsByKind(ReflectionKind.Document).find(isAboutService);
  for (const { comment } of Object.values(project.reflections)) {
    for (const { content } of comment?.getTags("@see") ?? []) {
      const [part] = content;
      if (part?.kind !== "text" || !part.text.startsWith("API v1")) continue;
      content[0] = { kind: "inline-tag", tag: "@link", text: part.text.trim(), target };
    }
  }
};

/**
 * Opens the groups of guides in the navigation, until a reader closes them.
 *
 * @returns {import("typedoc").JSX.Element}
 */
const openGuides = () => {
  const names = [first, ...subjects.map(({ subject }) => subject), "Modules"];
  const script = `for (const name of ${JSON.stringify(names)})
    localStorage["tsd-accordion-" + name] ??= "true";`;
  return JSX.createElement("script", null, JSX.createElement(JSX.Raw, { html: script }));
};

/** @param {import("typedoc").Application} app */
export const load = (app) => {
  app.on(Application.EVENT_BOOTSTRAP_END, () => {
    const guides = subjects.map(({ subject }) => subject);
    app.options.setValue("groupOrder", [first, ...guides, "Modules", last, "*"]);
    const boosts = [first, ...guides].map((subject) => [subject, 40]);
    app.options.setValue("searchGroupBoosts", Object.fromEntries(boosts));
  });
  app.renderer.hooks.on("head.end", openGuides);
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_, document) => nameDocument(document));
  app.converter.on(Converter.EVENT_RESOLVE_END, ({ project }) => {
    copyComments(project);
    linkSections(project);
    excuseInlineFields(project, app.options);
  });
};
