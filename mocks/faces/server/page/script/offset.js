// @ts-check
/** Distance of the mock's time from the time of this computer, in words. */

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Units, each with the distance from which on it is used, and the next smaller one. */
const units = [
  { from: 2 * day, size: day, name: "d" },
  { from: hour, size: hour, name: "h", rest: minute, restName: "min" },
  { from: minute, size: minute, name: "min", rest: second, restName: "s" },
  { from: 0, size: second, name: "s" },
];

/** Writes a distance in time in one or two units: `1 h 30 min`. */
const inWords = (/** @type {number} */ ms) => {
  const whole = Math.round(ms / second) * second;
  const unit = units.find(({ from }) => whole >= from);
  if (unit === undefined) return "";
  const { size, name, rest, restName } = unit;
  const words = `${Math.floor(whole / size)} ${name}`;
  const left = rest === undefined ? 0 : Math.floor((whole % size) / rest);
  return left === 0 ? words : `${words} ${left} ${restName}`;
};

/** Distance that two clocks of one computer may have, because an answer takes time. */
const sameMs = 2000;

/** Says how far the mock's clock is from real time, and offers the way back. */
export const showOffset = (/** @type {number} */ offsetMs) => {
  const form = document.getElementById("offset");
  const words = document.getElementById("offset-words");
  if (form === null || words === null) return;
  const isSame = Math.abs(offsetMs) < sameMs;
  const text = isSame
    ? ""
    : `${inWords(Math.abs(offsetMs))} ${offsetMs > 0 ? "ahead of" : "behind"} real time`;
  if (words.textContent === text) return;
  words.textContent = text;
  form.toggleAttribute("hidden", isSame);
  document.documentElement.toggleAttribute("data-moved", !isSame);
};
