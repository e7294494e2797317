/** Everything that is published of one reported problem. */
export interface ReportedProblemRow {
  /** When it is reported. */
  when: string;
  /** One sentence: its usual cause. */
  cause: string;
  /** What the supplier does next. */
  remedy: string;
  /** What is remembered of an account that has it. */
  example: {
    operation: 'stage' | 'notes' | 'transactions';
    errors: readonly string[];
    detail: Record<string, string> | null;
  };
}

/** What is remembered of a call that succeeded, by code (behaviour 4.15.10). */
export const REPORTED_PROBLEMS = {
  existing_data_differs: {
    when: 'The account already has a note or transaction with this identity, and its other values are not those that were sent. It was skipped: what is stored was not changed.',
    cause: 'It was corrected after it was imported, or two of them have the same identifier.',
    remedy:
      'Read back what is stored and compare the fields that `errors` names. If the stored values are right, send those; if they are wrong, ask the service team; if there are two, send the second with an identifier of its own. The next import of this kind that has no such difference resolves the problem.',
    example: { operation: 'transactions', errors: ['transactions.*.amount'], detail: null },
  },
  balance_does_not_add_up: {
    when: 'An amount that was sent is not the sum of its parts: the balance of the last statement, the balance handed over, or a supply charge. The request was accepted as it is.',
    cause:
      'A transaction is missing or is in the wrong list, an amount has the wrong sign, or a line or tax of a supply charge was left out.',
    remedy:
      'Compare the two sums in `detail` and correct the data. Stage the account again while it does not exist, which resolves the problem; afterwards ask the service team.',
    example: {
      operation: 'stage',
      errors: ['transfer_balance'],
      detail: { sent: '-48.20', computed: '-48.02' },
    },
  },
} as const satisfies Record<string, ReportedProblemRow>;

export type ReportedProblem = keyof typeof REPORTED_PROBLEMS;
