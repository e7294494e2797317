/** What a cell says: its value, or what is wrong with it, in a sentence that does not repeat it. */
export type Reading = { value: unknown; fault?: undefined } | { value?: undefined; fault: string };

/** Thrown where a file can be read in two ways: nobody but its owner knows which. */
export class NeedsOption extends Error {
  override readonly name = 'NeedsOption';
  readonly flag: string;
  readonly example: string;

  constructor(what: string, flag: string, example: string) {
    super(what);
    this.flag = flag;
    this.example = example;
  }
}
