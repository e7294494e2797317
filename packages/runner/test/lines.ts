/** An account of a book with its history; `fields` of the account replace those that it has. */
export function lineOf(code: string, number: string, fields: Record<string, unknown> = {}) {
  return {
    account: {
      import_supplier: code,
      external_account_number: number,
      account_type: 'DOMESTIC',
      transfer_balance: -48.2,
      customers: [{ family_name: 'Hartley' }],
      ...fields,
    },
    notes: [{ body: `Note of ${number}`, created_at: '2026-02-01T10:00:00Z' }],
    transactions: [
      {
        transaction_id: `T-${number}`,
        transaction_date: '2026-03-02',
        type: 'PAYMENT',
        amount: 12.34,
        reason: 'IMPORTED_PAYMENT',
      },
    ],
    statements: [
      {
        statement_id: `ST-${number}`,
        issued_date: '2026-02-03',
        bill_period_from_date: '2026-01-01',
        bill_period_to_date: '2026-01-31',
        number: '1',
        gross_amount: 99.95,
      },
    ],
  };
}

export const linesOf = (code: string, count: number) =>
  Array.from({ length: count }, (_, index) => lineOf(code, `ACC-${index + 1}`));
