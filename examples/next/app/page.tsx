import { randomUUID } from "node:crypto";
import { signOut } from "@/app/actions";
import { JobList } from "@/components/job-list";
import { OrderForm } from "@/components/order-form";
import { SignIn } from "@/components/sign-in";
import { getProxy } from "@/lib/adgen";
import { readPerson } from "@/lib/session";

export default async function Page() {
  const person = await readPerson();
  if (person === undefined) return <SignIn />;
  const [pictures] = await getProxy().usage(person.id);
  return (
    <>
      <header>
        <h1>Ads</h1>
        <form action={signOut}>
          <span>{person.name}</span>
          <button type="submit" className="quiet">
            Sign out
          </button>
        </form>
      </header>
      <main>
        <OrderForm callId={randomUUID()} />
        {pictures && (
          <p className="usage">
            {pictures.used} of {pictures.limit} pictures used today
          </p>
        )}
        <JobList person={person} />
      </main>
    </>
  );
}
