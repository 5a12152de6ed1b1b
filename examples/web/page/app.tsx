import { useQuery } from "@tanstack/react-query";
import { Frame } from "./frame.tsx";
import { Notice } from "./notice.tsx";
import { sessionQuery } from "./queries.ts";
import { sayError } from "./say-error.ts";
import { SignIn } from "./sign-in.tsx";
import { Studio } from "./studio.tsx";

export const App = () => {
  const { data: person, error } = useQuery(sessionQuery);
  if (error !== null) {
    return (
      <Frame>
        <Notice words={sayError(error)} />
      </Frame>
    );
  }
  // The first answer comes at once: nothing is drawn that would be gone again.
  if (person === undefined) return <Frame />;
  if (person === null) {
    return (
      <Frame>
        <SignIn />
      </Frame>
    );
  }
  return (
    <Frame person={person}>
      <Studio key={person.id} person={person} />
    </Frame>
  );
};
