import { signIn } from "@/app/actions";
import { people } from "@/lib/session";

export const SignIn = () => (
  <main>
    <form action={signIn} className="card sign-in">
      <h1>Ads</h1>
      <p>Who are you?</p>
      {people.map(({ id, name }) => (
        <button key={id} type="submit" name="person" value={id}>
          {name}
        </button>
      ))}
    </form>
  </main>
);
