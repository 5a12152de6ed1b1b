import { useMutation, useQueryClient } from "@tanstack/react-query";
import { people } from "../studio/people.ts";
import { Avatar } from "./avatar.tsx";
import { Notice } from "./notice.tsx";
import { Posters } from "./posters.tsx";
import { sessionQuery } from "./queries.ts";
import { sayError } from "./say-error.ts";
import { signIn } from "./studio-calls.ts";

export const SignIn = () => {
  const queries = useQueryClient();
  const { mutate, error } = useMutation({
    mutationFn: signIn,
    onSuccess: (person) => queries.setQueryData(sessionQuery.queryKey, person),
  });
  return (
    <section className="sign-in">
      <Posters />
      <h1>Who is at work today?</h1>
      <p className="soft">
        Two people share one account of the service. Each sees only their own ads, and has a limit
        of their own.
      </p>
      <ul>
        {people.map((person) => (
          <li key={person.id}>
            <button type="button" className="person" onClick={() => mutate(person.id)}>
              <Avatar person={person} />
              <span>
                <strong>{person.name}</strong>
                <span className="soft">{person.role}</span>
              </span>
              <svg className="arrow" viewBox="0 0 20 20" aria-hidden="true">
                <path d="M4 10h12M11 5l5 5-5 5" />
              </svg>
            </button>
          </li>
        ))}
      </ul>
      {error !== null && <Notice words={sayError(error)} />}
    </section>
  );
};
