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

/** How a command ends: a script tells "some rows were refused" from "broken" by it (behaviour 25.1.3). */
export const EXIT_CODES = {
  done: { code: 0, meaning: 'all done, nothing refused' },
  unexpected: { code: 1, meaning: 'an unexpected error' },
  usage: { code: 2, meaning: 'wrong usage, or a file that cannot be read or written' },
  refused: { code: 3, meaning: 'finished, with refused rows or differences' },
  authentication: { code: 4, meaning: 'no valid key, or the key may not do this' },
  tooManyRefused: { code: 5, meaning: 'stopped at --max-refused' },
  outOfReach: { code: 6, meaning: 'the service is out of reach' },
  stoppedByOthers: { code: 7, meaning: 'paused or cancelled by somebody else' },
  interrupted: { code: 130, meaning: 'interrupted; what was reached is kept' },
} as const;

export type Ending = keyof typeof EXIT_CODES;
