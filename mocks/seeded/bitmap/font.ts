import { emsOf } from "../lines.ts";

/** Letters as columns of 8 bits, two digits each: the lowest bit is the top, the highest a descender. */
const glyphs = new Map(
  `!5f "030003 #147f147f14 $242a7f2a12 %2313086462 &3649562050 '03 (1c2241 )41221c *14083e0814
+08083e0808 ,8060 -080808 .6060 /60180601 03e5149453e 1427f40 26251494946 32241494936 41814127f10
52745454539 63e49494932 70171090503 83649494936 9264949493e :6666 ;8066 <081422 =14141414 >221408
?0201590906 @3e415d551e A7e1111117e B7f49494936 C3e41414122 D7f4141221c E7f494941 F7f090901
G3e4149497a H7f0808087f I417f41 J2040403f K7f08142241 L7f404040 M7f020c027f N7f0408107f O3e4141413e
P7f09090906 Q3e4151215e R7f09192946 S2649494932 T01017f0101 U3f4040403f V0f3040300f W3f4038403f
X6314081463 Y0708700807 Z6151494543 [7f4141 \\01061860 ]41417f ^020102 _80808080 \`0102 a2054545478
b7f44444438 c38444428 d384444447f e3854545418 f047e05 g18a4a47c h7f040478 i7d j807d k7f102844 l3f40
m7c04780478 n7c040478 o38444438 pfc242418 q182424fc r7c0804 s48545424 t043f44 u3c40407c v1c2040201c
w3c4038403c x4428102844 y1ca0a07c z4464544c {083641 |ff }413608 ~10081008 ·1818 ×281028 °020502
→08082a1c08 ←081c2a0808 €143e554122 ß7e05251a`
    .split(/\s+/)
    .map((glyph) => [
      glyph.slice(0, 1),
      (glyph.slice(1).match(/../g) ?? []).map((column) => Number.parseInt(column, 16)),
    ]),
);

/** Letters that look enough like others. */
const alike: Readonly<Record<string, string>> = {
  "‘": "'",
  "’": "'",
  "“": '"',
  "”": '"',
  "–": "-",
  "—": "-",
};

const space: readonly number[] = [0, 0];

/** Rows of a letter without its descender. */
export const letterHeight = 7;

/** A run of a text: columns of letters, or a bar in place of letters that the font does not have. */
export type Run = { readonly columns: readonly number[] } | { readonly bar: number };

/** Width of a run in columns, with the space after it. */
export const widthOf = (run: Run): number => ("bar" in run ? run.bar : run.columns.length) + 1;

/** Sets a text, with a bar of about the same width for letters of other scripts than Latin. */
export const setText = (text: string): Run[] => {
  const runs: Run[] = [];
  let unknown = "";
  const flush = (): void => {
    if (unknown !== "") runs.push({ bar: Math.round(emsOf(unknown) * letterHeight) });
    unknown = "";
  };
  for (const letter of text.normalize("NFKC")) {
    // The font has no accents.
    const plain = letter.normalize("NFKD").replace(/\p{M}/gu, "");
    const known = [...plain].map((part) =>
      part === " " ? space : glyphs.get(alike[part] ?? part),
    );
    if (known.length === 0 || known.includes(undefined)) {
      unknown += letter;
      continue;
    }
    flush();
    for (const columns of known) if (columns !== undefined) runs.push({ columns });
  }
  flush();
  return runs;
};

/** Puts runs from right to left. Letters of the font stay in their order. */
export const turnAround = (runs: readonly Run[]): Run[] => {
  const turned: Run[] = [];
  let letters: Run[] = [];
  for (const run of [...runs].reverse()) {
    if ("columns" in run) letters = [run, ...letters];
    else {
      turned.push(...letters, run);
      letters = [];
    }
  }
  return [...turned, ...letters];
};
