/** The three lists of account imports: their path, their procedure and their section of docs/behaviour.md. */
export const THREE_LISTS = [
  { section: '4.9', path: 'all-account-import-processes', procedure: 'listAccountImports' },
  { section: '4.10', path: 'pending-account-import-processes', procedure: 'listPendingImports' },
  { section: '4.11', path: 'imported-account-import-processes', procedure: 'listImportedAccounts' },
] as const;
