/**
 * A name as a lenient server may read it: in any case, as a compatible letter, and without
 * what is not seen. None may slip past under another spelling.
 */
export const foldName = (name: string): string =>
  name
    .normalize("NFKC")
    .toUpperCase()
    .toLowerCase()
    .replace(/[\s\p{C}\p{Default_Ignorable_Code_Point}]/gu, "");
