// @ts-check
/** Orders to the admin and the API: the page's forms as requests. */

/**
 * @typedef {Readonly<Record<string, string>>} Values Fields of a form that are filled in.
 * @typedef {object} Order
 * @property {string} done Sentence that the page says when the order is carried out.
 * @property {object} [body]
 * @property {Record<string, string>} [headers]
 */

const numbers = (/** @type {Values} */ values) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Number(value)]));

/** A number of times that is left empty means every time: JSON has no Infinity. */
const timesOf = (/** @type {string | undefined} */ times) => (times ? Number(times) : null);

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
  nextJob: ({ outcome, text, seconds, times, account }) => ({
    done: "Planned for the next job",
    body: {
      ...(outcome === "fails" && { fail: text ?? "Generation failed" }),
      ...(seconds && { takesMs: Number(seconds) * 1000 }),
      times: timesOf(times),
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
