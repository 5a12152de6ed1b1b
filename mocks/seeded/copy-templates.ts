/**
 * Reads the sentences of a language: a line for each kind, with bars between the sentences. `{it}` is
 * the subject, `{by}` the brand. Headlines quote the subject as it was written, so that a test finds
 * its own words.
 *
 * @param by - The brand, `{brand}`, behind the subject
 */
const read = (by: string, sentences: string) => {
  const [headlines = [], primaryTexts = [], descriptions = [], callsToAction = []] = sentences
    .split("\n")
    .map((line) => line.split(" | "));
  return { headlines, primaryTexts, descriptions, callsToAction, by };
};

const english = read(
  " by {brand}",
  `Meet {it}{by} | Made simple: {it}{by} | Say hello to {it}{by} | Just in: {it}{by}
{It}{by}: everything you like about it, and nothing to worry about. | Good things take time. Finding {it}{by} takes a minute. | {It}{by}. Picked with care, ready when you are. | For mornings, for evenings, for no reason at all: {it}{by}.
Free delivery and 30 days to change your mind. | Only while stocks last. | Order today, smile tomorrow. | Made to last{by}.
Shop now | Learn more | Get offer | Sign up`,
);

const japanese = read(
  "（{brand}）",
  `{it}{by}、登場 | {it}{by}のある毎日へ | いま話題の{it}{by} | はじめまして、{it}{by}
{it}{by}。うれしいところはそのままに、面倒はひとつもありません。 | 朝にも、夜にも、なんでもない日にも。{it}{by}。
送料無料、30日以内なら返品できます。 | 今日のご注文で、明日が楽しみに。
今すぐ購入 | 詳しく見る | 特典を受け取る`,
);

const chinese = read(
  "（{brand}）",
  `全新上市：{it}{by} | 遇见{it}{by} | 今日推荐：{it}{by} | 简单就好：{it}{by}
{it}{by}：您喜欢的都在这里，无需操心。 | 无论清晨还是夜晚，{it}{by}都陪着您。
免运费，30天内可退换。 | 今天下单，明天开心。
立即购买 | 了解更多 | 领取优惠`,
);

const korean = read(
  " ({brand})",
  `새로 나왔습니다: {it}{by} | 지금 만나 보세요: {it}{by} | 오늘의 추천: {it}{by} | 간단하게: {it}{by}
{it}{by}. 좋아하는 것은 모두 담고, 걱정은 덜었습니다. | 아침에도, 저녁에도, 아무 이유 없는 날에도: {it}{by}.
무료 배송, 30일 이내 반품 가능. | 오늘 주문하고 내일 웃으세요.
지금 구매하기 | 자세히 알아보기 | 혜택 받기`,
);

const thai = read(
  " จาก {brand}",
  `มาแล้ว: {it}{by} | พบกับ{it}{by} | แนะนำวันนี้: {it}{by} | ง่ายกว่าเดิม: {it}{by}
{it}{by} มีทุกอย่างที่คุณชอบ ไม่มีอะไรต้องกังวล | ไม่ว่าเช้าหรือเย็น ก็มี{it}{by}
ส่งฟรี คืนได้ภายใน 30 วัน | สั่งวันนี้ ยิ้มได้พรุ่งนี้
ซื้อเลย | ดูเพิ่มเติม | รับข้อเสนอ`,
);

const arabic = read(
  " من {brand}",
  `جديدنا: {it}{by} | تعرّفوا على {it}{by} | ببساطة: {it}{by} | وصل الآن: {it}{by}
{it}{by}: كل ما تحبونه، بلا أي قلق. | للصباح وللمساء وبلا أي سبب: {it}{by}.
توصيل مجاني وإرجاع خلال 30 يومًا. | اطلبوا اليوم وابتسموا غدًا.
تسوّق الآن | اعرف المزيد | احصل على العرض`,
);

const hebrew = read(
  " מבית {brand}",
  `חדש אצלנו: {it}{by} | הכירו את {it}{by} | פשוט וקל: {it}{by} | הגיע עכשיו: {it}{by}
{it}{by}: כל מה שאהבתם, בלי שום דאגה. | לבוקר, לערב, ובלי שום סיבה: {it}{by}.
משלוח חינם ו-30 יום להתחרט. | מזמינים היום, מחייכים מחר.
לקנייה | למידע נוסף | לקבלת ההצעה`,
);

/** Scripts that tell the language of a text; Chinese is what Han without kana is taken for. */
const scripts = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/u, japanese],
  [/\p{Script=Hangul}/u, korean],
  [/\p{Script=Han}/u, chinese],
  [/\p{Script=Thai}/u, thai],
  [/\p{Script=Arabic}/u, arabic],
  [/\p{Script=Hebrew}/u, hebrew],
] as const;

const lettersIn = (text: string, kind: RegExp): number => text.match(kind)?.length ?? 0;

/** Chooses the sentences for a subject. Latin letters may be those of any language: English. */
export const templatesFor = (subject: string) => {
  const latin = lettersIn(subject, /\p{Script=Latin}/gu);
  if (2 * latin > lettersIn(subject, /\p{L}/gu)) return english;
  return scripts.find(([letters]) => letters.test(subject))?.[1] ?? english;
};
