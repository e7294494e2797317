/** The calls for one account, below /v1/data-import/. */
export const PATHS = {
  validate: 'validate-account/',
  stage: 'account-import-process/create-or-update/',
  process: 'account-import-process/process/',
  notes: 'notes/create/',
  transactions: 'transactions/create/',
  statements: 'historical-statements/create/',
  payment_instruction: 'payment-instruction/create/',
};
export type Step = keyof typeof PATHS;
export const IMPORTS = ['notes', 'transactions', 'statements', 'payment_instruction'] as const;
