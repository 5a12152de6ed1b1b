"use client";

import { useActionState } from "react";
import { orderAds } from "@/app/actions";

/** A form that works without JavaScript, too. `callId` names the order that it will make. */
export const OrderForm = ({ callId }: { callId: string }) => {
  const [{ problem, prompt }, order, isPending] = useActionState(orderAds, {});
  return (
    <form action={order} className="card order">
      <input type="hidden" name="call-id" value={callId} />
      <label>
        Your ad
        <textarea name="prompt" rows={3} required defaultValue={prompt} />
      </label>
      <div className="row">
        <label>
          Pictures
          <select name="variations" defaultValue="2">
            <option>1</option>
            <option>2</option>
            <option>3</option>
            <option>4</option>
          </select>
        </label>
        <button type="submit" disabled={isPending}>
          {isPending ? "Ordering…" : "Order"}
        </button>
      </div>
      {problem !== undefined && (
        <p role="alert" className="problem">
          {problem}
        </p>
      )}
    </form>
  );
};
