/** A reason of the service to say no. An operation throws it, and the client gets its message. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly kind: "invalid" | "unauthorized" | "payment_required" | "not_found";

  constructor(kind: Refusal["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}
