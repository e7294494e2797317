/** The kinds of file, as the flags are called. */
export const KIND_NAMES = [
  'accounts',
  'customers',
  'supply-points',
  'registers',
  'readings',
  'agreements',
  'notes',
  'transactions',
  'line-items',
  'tax-items',
  'statements',
  'payment-instructions',
] as const;
export type KindName = (typeof KIND_NAMES)[number];
