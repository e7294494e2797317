import type { TestSupplier } from '../support/test-service.ts';
import { charge, EVERY_TYPE } from '../transactions/examples.ts';

export const PROCESS = 'account-import-process/process/';

/** The open statement period of the example account is from 1 March to this day. */
export const NOW = '2026-04-20T11:30:00Z';

export const statement = (statement_id: string, overrides: Record<string, unknown> = {}) => ({
  statement_id,
  bill_period_from_date: '2026-01-01',
  bill_period_to_date: '2026-01-31',
  issued_date: '2026-02-03',
  number: statement_id,
  gross_amount: 112.07,
  ...overrides,
});

/** What the separate calls take as well. */
export const HISTORY = {
  notes: [
    { body: 'Called about the move.', created_at: '2025-11-20T10:15:00Z', is_pinned: true },
    { body: 'Has two dogs.' },
    { body: 'Has two dogs.' },
    { document_paths: [{ document_path: 'letters/2025/1.pdf' }], created_at: '2025-11-21T10:15:00Z' },
  ],
  transactions: [
    ...Object.values(EVERY_TYPE).map((fields, index) => ({
      transaction_id: `T-${index}`,
      transaction_date: `2026-04-0${index + 1}`,
      ...fields,
    })),
    charge('T-early', { transaction_date: '2026-01-31', amount: 0.1 }),
    charge('T-late', { transaction_date: '2026-12-31', amount: -0.01 }),
    charge('T-early', { transaction_date: '2026-01-31', amount: 0.1 }),
  ],
  statements: [
    statement('ST-1', { statement_path: 'statements/2026/01/1.pdf' }),
    statement('ST-2', { gross_amount: -0.5 }),
    statement('ST-1', { statement_path: 'statements/2026/01/1.pdf' }),
  ],
  payment_instruction: { vendor: 'SANDBOX', reference: 'pm_ok_1', type: 'CARD' },
};

/** Closed history of the example account, which was billed to 28 February. */
export const CLOSED = [
  charge('H-1', { transaction_date: '2019-05-01', amount: 100.5 }),
  { transaction_id: 'H-2', transaction_date: '2026-02-28', ...EVERY_TYPE.PAYMENT, amount: 52.3 },
];

/** Stages an account and creates it; the answer of process. */
export async function create(supplier: TestSupplier, account: Record<string, unknown> = {}) {
  const number = await supplier.stage(account);
  return { number, answer: await supplier.post(PROCESS, supplier.processRequest(number)) };
}
