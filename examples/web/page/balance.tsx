import { useQuery } from "@tanstack/react-query";
import type { LimitUsage } from "adgen-sdk/proxy";
import { balanceQuery } from "./queries.ts";

const kinds: Readonly<Record<LimitUsage["kind"], { title: string; unit: string }>> = {
  jobs: { title: "Jobs today", unit: "" },
  imageCredits: { title: "Pictures today", unit: "" },
  videoSeconds: { title: "Video today", unit: " s" },
};

const Meter = ({ kind, used, limit }: LimitUsage) => {
  const { title, unit } = kinds[kind];
  const share = limit === 0 ? 1 : used / limit;
  return (
    <div className="figure">
      <dt>{title}</dt>
      <dd>
        <strong>{used}</strong> of {limit}
        {unit}
        <span className="meter" data-full={share >= 1 || undefined} aria-hidden="true">
          <span style={{ inlineSize: `${100 * share}%` }} />
        </span>
      </dd>
    </div>
  );
};

const Credits = ({ title, amount }: { title: string; amount: number }) => (
  <div className="figure">
    <dt>{title}</dt>
    <dd>
      <strong>{amount}</strong> left
    </dd>
  </div>
);

/** The person's limits, which the proxy keeps, and the credits of the account behind it. */
export const Balance = ({ person }: { person: string }) => {
  const { data } = useQuery(balanceQuery(person));
  if (data === undefined) return <div className="balance skeleton" />;
  return (
    <dl className="balance" aria-label="Limits and credits">
      {data.limits.map((usage) => (
        <Meter key={usage.kind} {...usage} />
      ))}
      <Credits title="Image credits" amount={data.credits.image} />
      <Credits title="Video credits" amount={data.credits.video} />
    </dl>
  );
};
