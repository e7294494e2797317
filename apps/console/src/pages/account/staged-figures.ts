/** What came with the staged account, counted and added up as the service does with what is stored. */
export interface StagedFigures {
  transactions: { count: number; sum: string };
  notes: number;
  /** Those without a gross amount are not in the sum. */
  statements: { count: number; sum: string; withoutAmount: number };
  payment_instructions: number;
}

/** The figures of a staged payload. Pence are added as integers: no sum of the browser loses one. */
export function stagedFigures(payload: Readonly<Record<string, unknown>>): StagedFigures {
  const transactions = [...listOf(payload.transactions), ...listOf(payload.historical_transactions)];
  const statements = listOf(payload.statements);
  return {
    transactions: { count: transactions.length, sum: sumOf(transactions.map(({ amount }) => amount)) },
    notes: listOf(payload.notes).length,
    statements: {
      count: statements.length,
      sum: sumOf(statements.map(({ gross_amount }) => gross_amount)),
      withoutAmount: statements.filter(({ gross_amount }) => gross_amount === undefined).length,
    },
    payment_instructions: payload.payment_instruction === undefined ? listOf(payload.payment_instructions).length : 1,
  };
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value : [];
}

function sumOf(amounts: readonly unknown[]): string {
  const pence = amounts.reduce<bigint>((sum, amount) => sum + penceOf(String(amount ?? '0')), 0n);
  const digits = String(pence < 0n ? -pence : pence).padStart(3, '0');
  return `${pence < 0n ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

function penceOf(amount: string): bigint {
  const [, sign = '', whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(amount) ?? [];
  return BigInt(`${sign}${whole}${fraction.padEnd(2, '0').slice(0, 2)}`);
}
