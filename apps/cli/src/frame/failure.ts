import type { Ending } from './exit-codes.ts';

/** What a failure may say besides its sentence. */
export interface FailureOptions {
  /** The stable code of the service's refusal, where it was one, or means the same. */
  code?: string | undefined;
  /** More lines for people: the fields at fault, or what to do next. */
  lines?: readonly string[];
  cause?: unknown;
}

/** Thrown where a command cannot continue: a sentence for the user that says what to do, and how the command ends. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly ending: Ending;
  readonly code: string | undefined;
  readonly lines: readonly string[];

  constructor(ending: Ending, sentence: string, { code, lines = [], cause }: FailureOptions = {}) {
    super(sentence, { cause });
    this.ending = ending;
    this.code = code;
    this.lines = lines;
  }
}
