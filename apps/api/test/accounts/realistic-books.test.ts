import { expectedReadBack, REALISTIC_BOOKS, type RealisticBook, TIME_OF_BOOKS } from '@causeway/realistic-books';
import { describe, expect, test } from 'vitest';
import { PROCESS, STAGE } from '../idempotency/marked-calls.ts';
import { serviceOfFile } from '../support/test-service.ts';

const service = await serviceOfFile();
service.setTime(TIME_OF_BOOKS);

async function importBook(book: RealisticBook) {
  const supplier = await service.createSupplier(book.settings);
  const reference = { import_supplier: supplier.code, external_account_number: 'BOOK-1' };
  const staged = await supplier.post(STAGE, { ...book.account, ...reference });
  expect([staged.status, staged.body]).toEqual([201, reference]);
  expect(staged.headers.get('undocumented-fields')).toBeNull();
  const processed = await supplier.post(PROCESS, supplier.processRequest(reference.external_account_number));
  expect([processed.status, processed.body.code]).toEqual([201, undefined]);
  const read = async (below = '') => {
    const { status, body } = await supplier.get(`accounts/${encodeURIComponent(supplier.code)}/BOOK-1/${below}`);
    expect([below, status]).toEqual([below, 200]);
    return body;
  };
  return { reference, read };
}

const byId = (items: { transaction_id: string }[]) =>
  items.toSorted((one, other) => (one.transaction_id < other.transaction_id ? -1 : 1));

describe.each(REALISTIC_BOOKS)('$name', (book) => {
  test('2.10.25 passes, is stored, and is read back equal, field by field', async () => {
    const { reference, read } = await importBook(book);
    const expected = expectedReadBack(book, reference);
    expect((await read()).account).toEqual(expected.account);
    expect(await read('notes/')).toMatchObject(expected.notes);
    expect(byId(await read('transactions/'))).toEqual(expected.transactions);
    expect(await read('statements/')).toEqual(expected.statements);
    if (expected.paymentInstruction !== undefined) {
      expect(await read('payment-instruction/')).toMatchObject(expected.paymentInstruction);
    }
  });
});
