/** The kinds of file, as the flags are called. */
export const KIND_NAMES = [
  'accounts',
  'customers',
  'supply-points',
  'registers',
  'readings',
  'reading-history',
  'agreements',
  'notes',
  'transactions',
  'historical-transactions',
  'line-items',
  'tax-items',
  'statements',
  'payment-instructions',
] as const;
export type KindName = (typeof KIND_NAMES)[number];

/** The view of a mapping that has the rows of a kind: SQL has no hyphens in names. */
export const viewOf = (kind: KindName) => kind.replaceAll('-', '_');
