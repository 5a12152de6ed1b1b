import { StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { useOrder } from "./use-order.ts";

const request = { action: "generate-ad", prompt: "Lemonade" };

const App = () => {
  const [isOrdered, setOrdered] = useState(location.hash === "#ordered");
  const { job } = useOrder("hero", isOrdered ? request : undefined);
  const order = () => {
    location.hash = "ordered";
    setOrdered(true);
  };
  const images = job?.result?.images ?? [];
  return (
    <>
      <button type="button" onClick={order}>
        Order
      </button>
      <output>{job?.status === "processing" ? "waiting" : job?.status}</output>
      {images.map(({ url }) => (
        <img key={url} src={url} alt="The ad" />
      ))}
    </>
  );
};

createRoot(document.body).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
