import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import type { Person } from "../studio/people.ts";
import { Avatar } from "./avatar.tsx";
import { sessionQuery } from "./queries.ts";
import { signOut } from "./studio-calls.ts";

const Logo = () => (
  <svg className="logo" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="9" fill="var(--logo)" />
    <circle cx="13" cy="16" r="6.5" fill="#f6c445" />
    <circle cx="20" cy="16" r="6.5" fill="#fff" fillOpacity=".85" />
  </svg>
);

const SignedIn = ({ person }: { person: Person }) => {
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      queries.setQueryData(sessionQuery.queryKey, null);
      // Whatever else the page knows is this person's: the next one begins with nothing.
      queries.removeQueries({ predicate: ({ queryKey: [name] }) => name !== "session" });
    },
  });
  return (
    <div className="signed-in">
      <Avatar person={person} />
      <span className="name">{person.name}</span>
      <button type="button" className="quiet" onClick={() => mutate()}>
        Sign out
      </button>
    </div>
  );
};

interface FrameProps {
  readonly person?: Person;
  readonly children?: ReactNode;
}

/** The page around every view. The focus goes to what is new when somebody signs in or out. */
export const Frame = ({ person, children }: FrameProps) => {
  const main = useRef<HTMLElement>(null);
  // Nothing is shown before the session is known.
  const view = children === undefined ? undefined : (person?.id ?? "sign-in");
  const before = useRef(view);
  useEffect(() => {
    if (before.current !== undefined && before.current !== view) main.current?.focus();
    before.current = view;
  }, [view]);

  return (
    <>
      <header className="bar">
        <p className="brand">
          <Logo /> Ad Studio
        </p>
        {person !== undefined && <SignedIn person={person} />}
      </header>
      <main ref={main} tabIndex={-1}>
        {children}
      </main>
      {children !== undefined && (
        <footer>
          A demonstration of adgen-sdk. The service behind it is a mock: nothing costs money, and no
          picture is real.
          {import.meta.env.MODE === "in-page" &&
            " All of it runs in this page: a reload begins anew."}
        </footer>
      )}
    </>
  );
};
