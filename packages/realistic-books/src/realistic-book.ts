/** An account as a supplier of its market would send it, of our own making: no line of it is anybody's. */
export interface RealisticBook {
  name: string;
  /** The settings of the import supplier that it needs. */
  settings: Readonly<Record<string, unknown>>;
  /** The body of stage, with the account's history. */
  account: Readonly<Record<string, unknown>>;
  /** What is stored of it, if that is not all: with `empty_means_omitted` what is empty is not. */
  stored?: Readonly<Record<string, unknown>>;
}

/** The time for which the books are written: their last bills ran to the end of March. */
export const TIME_OF_BOOKS = '2026-04-20T11:30:00Z';

/** Every book adds up, to the penny. */
export const ADDS_UP = { balance_check: 'REFUSE' };

const adjustment =
  (type: 'CHARGE' | 'CREDIT') => (transaction_id: string, transaction_date: string, amount: number | string) => ({
    ...{ transaction_id, transaction_date, type, amount },
    reason: `IMPORTED_${type}`,
  });
export const charge = adjustment('CHARGE');
export const credit = adjustment('CREDIT');

export const payment = (transaction_id: string, transaction_date: string, amount: number | string) => ({
  transaction_id,
  transaction_date,
  type: 'PAYMENT',
  amount,
  payment_type: 'DD_REGULAR_COLLECTION',
  reference: `DD ${transaction_id}`,
});
