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

/** The page's URL has what was ordered, so that a reload finds it: `#prompt`. */
const readOrder = (): string => decodeURIComponent(location.hash.slice(1));

const Ad = ({ prompt }: { prompt: string }) => {
  const request = { action: "generate-ad", prompt } as const;
  // The slot names this place of the page: another prompt is another order.
  const { job, fraction, error } = useOrder(`ad ${prompt}`, request);
  if (error !== undefined) return <p role="alert">{sayError(error)}</p>;
  if (job?.status === "failed") return <p role="alert">This ad could not be made.</p>;
  if (job?.status !== "completed") return <progress value={fraction} aria-label="Being made" />;
  return job.result.images.map(({ url }) => <img key={url} src={url} alt={prompt} width="300" />);
};

const Page = () => {
  const [user, setUser] = useState<string | null>();
  const [prompt, setPrompt] = useState(readOrder);
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
    location.hash = encodeURIComponent(String(new FormData(event.currentTarget).get("prompt")));
    setPrompt(readOrder());
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
          Your ad <input name="prompt" required defaultValue={prompt} />
        </label>
        <button type="submit">Order</button>
      </form>
      {prompt !== "" && <Ad key={prompt} prompt={prompt} />}
    </main>
  );
};

createRoot(document.body).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
