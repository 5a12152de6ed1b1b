import { useRef, useState } from "react";
import type { Person } from "../studio/people.ts";
import { Balance } from "./balance.tsx";
import type { Draft } from "./catalogue.ts";
import { JobForm } from "./job-form.tsx";
import { JobList } from "./job-list.tsx";
import { Trials } from "./trials.tsx";

const emptyDraft: Draft = {
  action: "generate-ad",
  prompt: "",
  variations: 4,
  duration: 5,
  picture: "",
};

/** The app of a person who is signed in. */
export const Studio = ({ person }: { person: Person }) => {
  const [draft, setDraft] = useState(emptyDraft);
  const button = useRef<HTMLButtonElement>(null);
  const tryOut = (part: Partial<Draft>): void => {
    setDraft({ ...emptyDraft, ...part });
    button.current?.focus();
  };
  const [firstName] = person.name.split(" ");
  return (
    <div className="studio">
      <div className="greeting">
        <h1>Hello, {firstName}</h1>
        <p className="soft">Your ads are yours alone. Credits are the team’s.</p>
      </div>
      <Balance person={person.id} />
      <div className="desk">
        <JobForm person={person.id} draft={draft} onChange={setDraft} button={button} />
        <Trials onTry={tryOut} />
      </div>
      <JobList person={person.id} />
    </div>
  );
};
