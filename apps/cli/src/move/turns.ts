/** Runs the work of one account in the order in which it is given, one after the other. Only what has not ended is kept. */
export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Work behind one that has failed is not begun, and fails as it did. */
  async run<Value>(account: string | undefined, work: () => Promise<Value>): Promise<Value> {
    if (account === undefined) return work();
    const before = this.#last.get(account);
    const mine = before === undefined ? work() : before.then(work);
    this.#last.set(account, mine);
    try {
      return await mine;
    } finally {
      if (this.#last.get(account) === mine) this.#last.delete(account);
    }
  }
}
