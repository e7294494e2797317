export const STATES = ['STAGED', 'FAILED', 'SKIPPED', 'COMPLETED', 'UNDONE'] as const;

export interface AccountsSearch {
  /** What is searched for. */
  q?: string | undefined;
  /** The import supplier. */
  code?: string | undefined;
  state?: (typeof STATES)[number] | undefined;
  /** Of created accounts. */
  complete?: 'yes' | 'no' | undefined;
}
