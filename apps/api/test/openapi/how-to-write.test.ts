import { type BookSettings, readBookLine } from '@causeway/book';
import { AccountPayload, asStored, ERROR_CODES, Statement, Transaction } from '@causeway/contracts';
import { expect, test } from 'vitest';
import { publishedDocument } from '../support/published-document.ts';
import { serviceOfFile } from '../support/test-service.ts';

type Fields = Record<string, unknown>;

/** The pages of the guide that say how something is written, each with its examples. */
const pages = (publishedDocument.info.description ?? '').split(/^### (?=How to write)/m).slice(1);
const examples = pages.map((page) => {
  const [own = ''] = page.split(/^## /m);
  const [title = ''] = own.split('\n');
  return [title, [...own.matchAll(/^```json\n([\s\S]*?)^```$/gm)].map(([, text = '']) => text)] as const;
});

const service = await serviceOfFile();
service.setTime('2026-04-20T11:30:00Z');
const supplier = await service.createSupplier();
/** As strict as an import supplier can be. */
const settings: BookSettings = {
  importSupplier: {
    ...{ code: 'NORTHWIND-2026', country: 'GB', empty_means_omitted: false },
    ...{ undocumented_fields: 'REJECT', statement_amount_unit: 'MAJOR', balance_check: 'REFUSE' },
    ...{ suspect_data: 'REFUSE', suspect_data_by_code: {} },
  },
  ...{ today: '2026-04-20', maxLineBytes: 1_000_000, paymentVendors: new Set<string>() },
  importOptions: { check_previously_added: true, force_add_to_current_statement: true },
};

const PATHS = {
  notes: 'notes/create/',
  transactions: 'transactions/create/',
  statements: 'historical-statements/create/',
};

test('2.5.11 each page of the guide that says how something is written has an example', () => {
  expect(examples.filter(([, texts]) => texts.length === 0)).toEqual([]);
});

test.each(examples)(
  '2.5.11 the example of “%s” is accepted in a book and by the calls, and read back as it is',
  async (_, texts) => {
    for (const text of texts) {
      const supplier = await service.createSupplier();
      const line = JSON.parse(text);
      expect(readBookLine(Buffer.from(text.replaceAll('\n', ' ')), settings)).toHaveProperty('line');
      const { account, external_account_number = account?.external_account_number, ...history } = line;
      const reference = { import_supplier: supplier.code, external_account_number };
      const created = account === undefined ? supplier.account(reference) : { ...account, ...reference };
      const send = async (path: string, body: Fields) => {
        const { status, headers } = await supplier.post(path, body);
        expect([path, status, headers.get('Undocumented-Fields')]).toEqual([path, 201, null]);
      };
      await send('account-import-process/create-or-update/', created);
      await send('account-import-process/process/', supplier.processRequest(external_account_number));
      for (const [name, path] of Object.entries(PATHS)) {
        if (name in history) await send(path, { ...reference, [name]: history[name] });
      }
      if (account !== undefined) {
        const {
          transactions: _,
          historical_transactions: __,
          ...expected
        } = asStored(AccountPayload, AccountPayload.parse(created));
        const { body } = await supplier.get(`accounts/${supplier.code}/${external_account_number}/`);
        expect(body.account).toEqual(expected);
      }
      const read = (name: string) => supplier.get(`accounts/${supplier.code}/${external_account_number}/${name}/`);
      const { transactions = account?.transactions ?? [], statements = [] } = history;
      const closed = (account?.historical_transactions ?? []).map((one: Fields) => asStored(Transaction, one));
      expect((await read('transactions')).body).toEqual([
        ...closed.map((one: object) => ({ ...one, is_historical: true })),
        ...transactions.map((one: Fields) => asStored(Transaction, one)),
      ]);
      expect((await read('statements')).body).toEqual(statements.map((one: Fields) => asStored(Statement, one)));
    }
  },
);

test('2.5.11 each sentence that names a page of the guide names one that exists', async () => {
  const { reference } = await supplier.importAccount();
  const charge = { transaction_id: 'T', transaction_date: '2026-04-01', reason: 'X' };
  const refuse = async (fields: object) => {
    const { body } = await supplier.post('transactions/create/', {
      ...reference,
      transactions: [{ ...charge, ...fields }],
    });
    return body.error_detail as string;
  };
  const refuseAccount = async (fields: Fields) => {
    const { body } = await supplier.post('validate-account/', supplier.account(fields));
    return body.errors[0].detail as string;
  };
  const sentences = [
    await refuseAccount({ billing_postcode: '75008' }),
    await refuseAccount({ customers: undefined }),
    await refuseAccount({ customers: [] }),
    await refuseAccount({ customers: [{ title: 'Ms' }] }),
    await refuse({ type: 'REVERSAL', amount: -1 }),
    await refuse({ type: 'REPAYMENT', amount: -1 }),
    ERROR_CODES.historical_statement_already_exists.example.detail,
  ];
  for (const sentence of sentences) {
    const [, page] = /“(How to write [^”]+)” .*in the guide\.$/.exec(sentence) ?? [];
    expect(examples.map(([title]) => title)).toContain(page);
  }
});
