import {
  AccountPayload,
  asStored,
  HISTORY_FIELDS,
  ImportPaymentInstructionRequest,
  Note,
  Statement,
  Transaction,
} from '@causeway/contracts';
import { createRandom } from '@causeway/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { drawPayload, pathsOf, repair } from '../support/draw-payload.ts';
import { serviceOfFile } from '../support/test-service.ts';

const service = await serviceOfFile();
service.setTime('2026-04-17T09:30:12Z');
const supplier = await service.createSupplier();

const SEED = 20_261_122;
const ACCOUNTS = 90;
const ITEMS = 200;
type Fields = Record<string, unknown>;

/** They become notes, transactions and the like, which have reads of their own. */
const HISTORY = new Set<string>([...HISTORY_FIELDS, 'last_statement_balance']);

/** The documented fields of what a schema accepts, as dotted paths with `*` for each item of a list. */
function documentedPaths(schema: z.ZodType, path = ''): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return documentedPaths(schema.unwrap() as z.ZodType, path);
  }
  if (schema instanceof z.ZodArray) return documentedPaths(schema.element as z.ZodType, `${path}.*`);
  if (schema instanceof z.ZodUnion && !(schema.options[0] instanceof z.ZodNumber)) {
    return (schema.options as z.ZodType[]).flatMap((option) => documentedPaths(option, path));
  }
  if (!(schema instanceof z.ZodObject)) return [path];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
    documentedPaths(field, path === '' ? name : `${path}.${name}`),
  );
}

/** Fails for a documented field that none of the values had: a test that never sends a field proves nothing of it. */
function expectEveryField(schema: z.ZodType, values: unknown[], except: ReadonlySet<string> = new Set()): void {
  const sent = new Set(values.flatMap((value) => pathsOf(value)));
  const isSent = (path: string) => [...sent].some((other) => other === path || other.startsWith(`${path}.`));
  const missing = documentedPaths(schema).filter((path) => !except.has(path.split('.', 1)[0] ?? '') && !isSent(path));
  expect([...new Set(missing)]).toEqual([]);
}

/** Sends a payload until it is accepted: what is refused is taken out. */
async function sendAccepted(path: string, payload: Fields): Promise<unknown> {
  for (let round = 0; round < 20; round += 1) {
    const { status, body } = await supplier.post(path, payload);
    if (status < 300) return body;
    const faults: string[] = body.errors.map(({ attr }: { attr: string }) => attr);
    repair(payload, () => faults.splice(0).map((attr) => attr.split('.')));
  }
  throw new Error(`${path} keeps refusing`);
}

function drawAccount(number: string, seed: number): Fields {
  const drawn = drawPayload(AccountPayload, createRandom(seed)) as Fields;
  const fields = Object.entries(drawn).filter(([name]) => !HISTORY.has(name));
  return { ...Object.fromEntries(fields), import_supplier: supplier.code, external_account_number: number };
}

const pathTo = (number: string, below = '') => `accounts/${supplier.code}/${number}/${below}`;
const drawItems = (schema: z.ZodType): Fields[] =>
  Array.from({ length: ITEMS }, (_, index) => drawPayload(schema, createRandom(SEED + index)) as Fields);

describe('what was sent is what is read', () => {
  test('4.16.2 of an account with any of the documented fields, staged and created', async () => {
    const sent: unknown[] = [];
    for (let index = 0; index < ACCOUNTS; index += 1) {
      const number = `DRAWN-${index}`;
      const account = drawAccount(number, SEED + index);
      const expected = asStored(AccountPayload, await sendAccepted('validate-account/', account));
      expect((await supplier.post('account-import-process/create-or-update/', account)).status).toBe(201);
      expect((await supplier.get(pathTo(number))).body.account, `staged, seed ${SEED + index}`).toEqual(expected);
      expect((await supplier.post('account-import-process/process/', supplier.processRequest(number))).status).toBe(
        201,
      );
      expect((await supplier.get(pathTo(number))).body.account, `created, seed ${SEED + index}`).toEqual(expected);
      sent.push(account);
    }
    expectEveryField(AccountPayload, sent, HISTORY);
  });

  test('4.16.2 of notes with any of the documented fields', async () => {
    const drawn = drawItems(Note).map((note, index) =>
      'body' in note ? { ...note, body: `${note.body} ${index}` } : note,
    );
    for (const [index, note] of drawn.entries()) if ('external_id' in note) note.external_id = `E-${index}`;
    const notes = [...new Map(drawn.map((note) => [JSON.stringify(note.body ?? note.document_paths), note])).values()];
    const { externalAccountNumber, reference } = await supplier.importAccount();
    await sendAccepted('notes/create/', { ...reference, notes });
    const { body } = await supplier.get(pathTo(externalAccountNumber, 'notes/'));
    const now = { created_at: '2026-04-17T09:30:12Z', is_pinned: false, is_archived: false };
    // A note without documents is the same as one with none.
    const stored = notes.map(({ document_paths, ...note }) =>
      (document_paths as [] | undefined)?.length ? { ...note, document_paths } : note,
    );
    expect(body).toEqual(stored.map((note, index) => ({ position: index + 1, ...now, ...note })));
    expectEveryField(Note, notes);
  });

  test('4.16.2 of transactions with any of the documented fields', async () => {
    const transactions = drawItems(Transaction).map((transaction, index) => {
      return { ...transaction, transaction_id: `T-${String(index).padStart(4, '0')}`, transaction_date: '2026-04-05' };
    });
    const { externalAccountNumber, reference } = await supplier.importAccount();
    await sendAccepted('transactions/create/', { ...reference, transactions });
    const { body } = await supplier.get(pathTo(externalAccountNumber, 'transactions/'));
    expect(body).toEqual(transactions.map((transaction) => asStored(Transaction, transaction)));
    expectEveryField(Transaction, transactions);
  });

  test('4.16.2 of statements with any of the documented fields', async () => {
    const statements = drawItems(Statement).map((statement, index) => {
      return { ...statement, statement_id: `ST-${String(index).padStart(4, '0')}` };
    });
    const { externalAccountNumber, reference } = await supplier.importAccount();
    await sendAccepted('historical-statements/create/', { ...reference, statements });
    const { body } = await supplier.get(pathTo(externalAccountNumber, 'statements/'));
    expect(body).toEqual(statements.map((statement) => asStored(Statement, statement)));
    expectEveryField(Statement, statements);
  });

  test('4.16.2 of payment instructions with any of the documented fields', async () => {
    const sent: Fields[] = [];
    for (let index = 0; index < 20; index += 1) {
      const { externalAccountNumber, reference } = await supplier.importAccount();
      const drawn = drawPayload(ImportPaymentInstructionRequest, createRandom(SEED + index)) as Fields;
      const own = { ...reference, vendor: 'SANDBOX', reference: `pm_ok_${index}`, type: 'CARD' };
      const instruction: Fields = { ...drawn, ...own };
      delete instruction.dry_run;
      if ('supersedes' in drawn) {
        instruction.supersedes = `pm_ok_former_${index}`;
        const former = { ...reference, ...own, reference: instruction.supersedes };
        expect((await supplier.post('payment-instruction/create/', former)).status).toBe(201);
      }
      expect((await supplier.post('payment-instruction/create/', instruction)).status).toBe(201);
      const { body } = await supplier.get(pathTo(externalAccountNumber, 'payment-instruction/'));
      const { import_supplier: _, external_account_number: __, ...expected } = instruction;
      const { details: ___, ...read } = body;
      expect(read).toEqual(expected);
      sent.push(instruction);
    }
    expectEveryField(ImportPaymentInstructionRequest, sent, new Set(['dry_run']));
  });
});
