import type { Person } from "../studio/people.ts";

/** The first letters of a name, in the person's own colour. */
export const Avatar = ({ person: { id, name } }: { person: Person }) => (
  <span className={`avatar ${id}`} aria-hidden="true">
    {name
      .split(" ")
      .map(([letter]) => letter)
      .join("")}
  </span>
);
