import { refuseArgument } from "./refuse.ts";

/**
 * Fills an id into an endpoint's path, as exactly one segment: no id can lead to another place.
 */
export const fillPath = (path: string, id: unknown): string => {
  if (!path.includes(":id")) return path;
  try {
    if (typeof id === "string" && id.trim() && !/^\.\.?$|\p{Cc}/u.test(id)) {
      return path.replace(":id", () => encodeURIComponent(id));
    }
  } catch {} // half a surrogate pair
  return refuseArgument(`${path} cannot take this id`);
};
