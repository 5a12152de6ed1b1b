/** Why the service says no. Thrown by an operation, answered as an error envelope. */
export class Fault extends Error {
  override readonly name = "Fault";
  readonly status: 400 | 401 | 402 | 404;

  constructor(status: Fault["status"], message: string) {
    super(message);
    this.status = status;
  }
}
