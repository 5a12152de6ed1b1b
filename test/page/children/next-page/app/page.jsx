import { submitAd } from "./actions";
import { Ads } from "./ads.jsx";

export const dynamic = "force-dynamic";

export default function Page() {
  return (
    <>
      <form action={submitAd}>
        <input type="hidden" name="id" value={crypto.randomUUID()} />
        <input name="prompt" />
        <button type="submit">Order</button>
      </form>
      <Ads />
    </>
  );
}
