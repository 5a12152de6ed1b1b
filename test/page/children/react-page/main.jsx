import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { ordersOf } from "./orders.ts";
import { useOrder } from "./use-order.ts";

const orders = ordersOf("anna");

const App = () => {
  const order = useOrder(orders, "hero");
  const start = () => orders.start("hero", { action: "generate-ad", prompt: "Lemonade" });
  const images = order.job?.result?.images ?? [];
  return (
    <>
      <button type="button" onClick={start}>
        Order
      </button>
      <output>{order.state}</output>
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
