// This file's function is sent to the browser as text: nothing in it may come from outside.

type Handler = (event: Event) => unknown;

/** What an element is to be. Names that begin with "on" are handlers, the rest are attributes. */
type Properties = Readonly<Record<string, string | number | boolean | undefined | Handler>>;

export interface Spec {
  readonly tag: string;
  /** Tells it from its brothers, so that it stays the same element wherever it moves. */
  readonly key: string | undefined;
  readonly properties: Properties;
  readonly content: readonly Content[];
}

export type Content = Spec | string | number | false | undefined | readonly Content[];

/** Patches the document: what has not changed is not touched, so focus and open parts stay. */
export const createDom = () => {
  const specs = new WeakMap<Node, Spec>();

  const element = (tag: string, properties: Properties = {}, ...content: Content[]): Spec => {
    const { key, ...rest } = properties;
    return { tag, key: key === undefined ? undefined : String(key), properties: rest, content };
  };

  const flatten = (content: readonly Content[]): (Spec | string)[] =>
    content.flatMap((part) => {
      if (part === undefined || part === false || part === "") return [];
      if (typeof part === "number") return [String(part)];
      return typeof part === "string" || !("length" in part)
        ? [part as Spec | string]
        : flatten(part);
    });

  const setProperties = (node: HTMLElement, before: Properties, after: Properties): void => {
    for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const value = after[name];
      if (value === before[name]) continue;
      if (name.startsWith("on")) Object.assign(node, { [name]: value ?? null });
      // Through the object model: the page's policy forbids style attributes.
      else if (name === "paint") node.style.backgroundColor = String(value ?? "");
      else if (value === undefined || value === false) node.removeAttribute(name);
      else node.setAttribute(name, value === true ? "" : String(value));
    }
  };

  const isFor = (node: Node | null | undefined, spec: Spec): node is HTMLElement => {
    const before = node && specs.get(node);
    return before?.tag === spec.tag && before.key === spec.key;
  };

  const update = (node: HTMLElement, spec: Spec): void => {
    setProperties(node, specs.get(node)?.properties ?? {}, spec.properties);
    specs.set(node, spec);
    patchChildren(node, spec.content);
  };

  const patchChildren = (parent: Element, content: readonly Content[]): void => {
    const wanted = flatten(content);
    const keys = new Set(wanted.map((part) => (typeof part === "string" ? undefined : part.key)));
    const kept = new Map<string, Node>();
    for (const child of [...parent.childNodes]) {
      const key = specs.get(child)?.key;
      if (key === undefined) continue;
      // First of all, so that nothing has to move past what goes: moving loses the focus.
      if (keys.has(key)) kept.set(key, child);
      else child.remove();
    }
    let place: ChildNode | null = parent.firstChild;
    for (const part of wanted) {
      if (typeof part === "string") {
        if (place?.nodeType === Node.TEXT_NODE) {
          if (place.nodeValue !== part) place.nodeValue = part;
          place = place.nextSibling;
        } else parent.insertBefore(document.createTextNode(part), place);
        continue;
      }
      const candidate = part.key === undefined ? place : kept.get(part.key);
      const node = isFor(candidate, part) ? candidate : document.createElement(part.tag);
      if (node === place) place = place.nextSibling;
      else parent.insertBefore(node, place);
      update(node, part);
    }
    while (place) {
      const next: ChildNode | null = place.nextSibling;
      place.remove();
      place = next;
    }
  };

  /** The ids from the focused element outwards: where the focus goes when that element goes. */
  const homesOfFocus = (): string[] => {
    const homes: string[] = [];
    for (let node = document.activeElement; node; node = node.parentElement) {
      if (node.id) homes.push(node.id);
    }
    return homes;
  };

  const byId = <Kind extends HTMLElement = HTMLElement>(id: string): Kind =>
    document.getElementById(id) as Kind;

  /** Makes the content of the element with this id so. */
  const fill = (id: string, ...content: Content[]): void => patchChildren(byId(id), content);

  const show = (id: string, isShown: boolean): void => {
    const node = byId(id);
    if (node.hidden === isShown) node.hidden = !isShown;
  };

  /**
   * When what has the focus goes, as the buttons of a job that finishes, the focus stays close:
   * with the job in its new place, or else with what was around it.
   */
  const keepFocus = (work: () => void): void => {
    const focused = document.activeElement;
    const homes = homesOfFocus();
    work();
    if (focused === document.activeElement) return;
    for (const home of homes) {
      document.getElementById(home)?.focus({ preventScroll: true });
      if (document.activeElement?.id === home) return;
    }
  };

  const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium", timeZone: "UTC" });

  /** A time of day, in UTC as the API writes it. */
  const timeOfDay = (at: number | string): Spec => {
    const date = new Date(at);
    return element("time", { datetime: date.toISOString() }, clock.format(date));
  };

  return { element, fill, show, keepFocus, byId, timeOfDay };
};

export type Dom = ReturnType<typeof createDom>;
