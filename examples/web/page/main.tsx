import "./theme.css";
import "./frame.css";
import "./balance.css";
import "./job-form.css";
import "./job-card.css";
import "./picture-view.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { createQueries } from "./queries.ts";

// The bundle of the other mode holds neither the mock nor the proxy.
if (import.meta.env.MODE === "in-page") {
  const { startInPage } = await import("../in-page/start-in-page.ts");
  await startInPage();
}

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no #root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={createQueries()}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
