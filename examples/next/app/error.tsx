"use client";

/** Takes the page's place when the list of jobs cannot be read. */
export default function PageError({ retry }: { retry: () => void }) {
  return (
    <main>
      <section className="card">
        <h1>Your ads cannot be shown</h1>
        <p>They are not lost. Try again in a while.</p>
        <button type="button" onClick={retry}>
          Try again
        </button>
      </section>
    </main>
  );
}
