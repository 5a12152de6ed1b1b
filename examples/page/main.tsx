import { isAdGenError } from "adgen-sdk";
import { type FormEvent, StrictMode, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { useOrder } from "./use-order.ts";

/** Words for visitors: the messages of errors are for developers. */
const sayError = (error: unknown): string => {
  if (!isAdGenError(error)) return "This ad could not be made.";
  // "Try again" would invite them to pay twice.
  if (error.outcome === "unknown") return "It may be ordered already: reload the page in a minute.";
  if (error.code === "unauthorized") return "Please sign in again.";
  if (error.code !== "payment_required") return "That did not work. Please try again.";
  return error.limit ? "Your limit for today is reached." : "Ads cannot be ordered at the moment.";
};

interface Order {
  /** Permanent id of the order, of 1 to 128 visible ASCII characters. So it can't be the prompt. */
  readonly slot: string;
  readonly prompt: string;
}

/** Reads this tab's order. If the page's address held it, a foreign link could place an order. */
const readOrder = (): Order | undefined =>
  JSON.parse(sessionStorage.getItem("order") ?? "null") ?? undefined;

const Ad = ({ slot, prompt }: Order) => {
  const request = { action: "generate-ad", prompt } as const;
  const { job, fraction, error } = useOrder(slot, request);
  if (error !== undefined) return <p role="alert">{sayError(error)}</p>;
  if (job?.status === "failed") return <p role="alert">This ad could not be made.</p>;
  if (job?.status !== "completed") return <progress value={fraction} aria-label="Being made" />;
  return job.result.images.map(({ url }) => <img key={url} src={url} alt={prompt} width="300" />);
};

const Page = () => {
  const [user, setUser] = useState<string | null>();
  const [ordered, setOrdered] = useState(readOrder);
  useEffect(() => {
    const read = async () => setUser(await (await fetch("/me")).json());
    void read();
  }, []);

  const signIn = async (name: string): Promise<void> => {
    await fetch(`/sign-in/${name}`, { method: "POST" });
    setUser(name);
  };
  const order = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const prompt = String(new FormData(event.currentTarget).get("prompt"));
    if (prompt === ordered?.prompt) return; // a second click is the same order
    const next = { slot: crypto.randomUUID(), prompt };
    sessionStorage.setItem("order", JSON.stringify(next));
    setOrdered(next);
  };
  if (user === undefined) return null;
  if (user === null) {
    return ["Ada", "Grace"].map((name) => (
      <button key={name} type="button" onClick={() => signIn(name)}>
        {name}
      </button>
    ));
  }
  return (
    <main>
      <h1>The ads of {user}</h1>
      <form onSubmit={order}>
        <label>
          Your ad <input name="prompt" required defaultValue={ordered?.prompt} />
        </label>
        <button type="submit">Order</button>
      </form>
      {ordered && <Ad key={ordered.slot} {...ordered} />}
    </main>
  );
};

createRoot(document.body).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
