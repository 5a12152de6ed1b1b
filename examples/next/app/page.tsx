import { randomUUID } from "node:crypto";
import { signIn, signOut } from "@/app/actions";
import { OrderForm, WaitingJob } from "@/app/in-browser";
import { createClientFor, people, readPerson } from "@/lib/adgen";

export default async function Page() {
  const person = await readPerson();
  if (person === undefined) {
    return (
      <form action={signIn}>
        {people.map((name) => (
          <button key={name} type="submit" name="person" value={name}>
            {name}
          </button>
        ))}
      </form>
    );
  }
  const { items } = await createClientFor(person).jobs.list({ limit: 8 });
  return (
    <main>
      <form action={signOut}>
        <button type="submit">Sign out</button>
      </form>
      <OrderForm order={randomUUID()} />
      {items.length === 0 && <p>Your ads will be here.</p>}
      {items.map(({ job_id }) => (
        <WaitingJob key={job_id} jobId={job_id} />
      ))}
    </main>
  );
}
