import type { ImportedAccount, TestService } from '../support/test-service.ts';

export const STAGE = 'account-import-process/create-or-update/';
export const PROCESS = 'account-import-process/process/';
export const TRANSACTIONS = 'transactions/create/';

const credit = (transaction_date: string) => ({
  transaction_id: `T-${transaction_date}`,
  transaction_date,
  type: 'CREDIT',
  amount: 1,
  reason: 'X',
});

/** Two transactions, of which the second one is refused. */
export const refused = ({ reference }: Pick<ImportedAccount, 'reference'>) => ({
  ...reference,
  transactions: [credit('2026-03-01'), credit('2026-02-30')],
});

/** Two that are accepted. */
export const accepted = ({ reference }: Pick<ImportedAccount, 'reference'>) => ({
  ...reference,
  transactions: [credit('2026-03-01'), credit('2026-03-02')],
});

/** What is remembered of an account number, one row an operation. */
export async function remembered({ database }: TestService, external_account_number: string) {
  const rows = await database.prisma.accountImportRefusal.findMany({
    where: { external_account_number },
    orderBy: [{ operation: 'asc' }, { reported: 'asc' }],
  });
  return rows.map(({ operation, code, times, resolved_at }) => ({
    operation,
    code,
    times,
    open: resolved_at === null,
  }));
}
