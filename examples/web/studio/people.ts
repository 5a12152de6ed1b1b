/** Somebody who may sign in. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

/** The two people of this demonstration. */
export const people: readonly Person[] = [
  { id: "mara", name: "Mara Lind", role: "Brand campaigns" },
  { id: "jonas", name: "Jonas Weber", role: "Online shop" },
];
