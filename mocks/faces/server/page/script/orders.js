// @ts-check
/** Orders to the admin and the API: the page's forms as requests. */

/**
 * @typedef {Readonly<Record<string, string>>} Values Fields of a form that are filled in.
 * @typedef {object} Order
 * @property {string} done Sentence that the page says when the order is carried out.
 * @property {object | Promise<object>} [body]
 * @property {Record<string, string>} [headers]
 */

const numbers = (/** @type {Values} */ values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));

/** A number of times that is left empty means every time: JSON has no Infinity. */
const timesOf = (/** @type {string | undefined} */ times) => (times ? Number(times) : null);

/** Reads the chosen file. The server says what is wrong with a snapshot that is JSON. */
const readFile = async (/** @type {HTMLFormElement} */ form) => {
  const field = form.elements.namedItem("file");
  const file = field instanceof HTMLInputElement ? field.files?.[0] : undefined;
  if (file === undefined) throw new Error("Choose a file first");
  try {
    return JSON.parse(await file.text());
  } catch {
    throw new Error(`${file.name} is no snapshot: it is not JSON. Export one to see how it looks.`);
  }
};

/**
 * Bodies of the orders, from the values of their forms.
 *
 * @type {Readonly<Record<string, (values: Values, form: HTMLFormElement) => Order>>}
 */
const orders = {
  advance: ({ seconds }) => ({
    done: `The clock is ${seconds} s further`,
    body: { advanceMs: Number(seconds) * 1000 },
  }),
  newJob: ({ account, action, prompt, ...rest }) => ({
    done: "The job is submitted",
    headers: { authorization: `Bearer ${account}` },
    body: { action, prompt, ...numbers(rest) },
  }),
  newAccount: ({ key, image, video }) => ({
    done: `${key} is added`,
    body: {
      key,
      credits: {
        ...(image && { image: { monthly: Number(image) } }),
        ...(video && { video: { monthly: Number(video) } }),
      },
    },
  }),
  newBrand: (fields, { dataset: { account } }) => ({
    done: `${fields["name"]} is created`,
    headers: { authorization: `Bearer ${account}` },
    body: fields,
  }),
  grant: ({ credit, pot = "monthly", amount }, { dataset: { account } }) => ({
    done: `${amount} ${credit} credits granted to ${account}`,
    body: { credit, [pot]: Number(amount) },
  }),
  newFault: ({ kind, accepted, times, operation, account, ...rest }) => ({
    done: `${kind} is planned`,
    body: {
      fault: { kind, ...numbers(rest), ...(accepted && { accepted: true }) },
      times: timesOf(times),
      operation,
      account,
    },
  }),
  importSnapshot: (_, form) => ({ done: "The snapshot is in place", body: readFile(form) }),
  nextJob: ({ outcome, text, seconds, times, action, account }) => ({
    done: "Planned for the next job",
    body: {
      ...(outcome === "fails" && { fail: text ?? "Generation failed" }),
      ...(seconds && { takesMs: Number(seconds) * 1000 }),
      times: timesOf(times),
      action,
      account,
    },
  }),
};

/** Reads the fields that are filled in. @returns {Values} */
const read = (/** @type {HTMLFormElement} */ form, /** @type {HTMLElement | null} */ submitter) =>
  Object.fromEntries(
    [...new FormData(form, submitter)].flatMap(([name, value]) =>
      typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [],
    ),
  );

/**
 * Makes a request from a form.
 *
 * @returns {Order & { path: string, method: string }}
 */
export const orderOf = (
  /** @type {HTMLFormElement} */ form,
  /** @type {HTMLElement | null} */ submitter,
) => {
  const { order = "", method = "POST", done = "" } = form.dataset;
  const path = form.getAttribute("action") ?? "";
  return { path, method, done, ...orders[order]?.(read(form, submitter), form) };
};
