import { Manifest, Reconciliation, type ReconciliationDifference } from '@causeway/contracts';
import type { Answer } from '@causeway/rest-client';
import { beforeAll, expect, it } from 'vitest';
import { manifestOfBook } from '../../src/manifest/manifest-of-book.ts';
import { type LodgedBook, type Proof, prove } from '../../src/manifest/prove.ts';

const BOOK = { seed: 's', importSupplier: 'HV', teamName: 'T', bookDate: '2026-03-17', accounts: 12 };
const NO_PROBLEM = { problem_operation: null, problem_code: null, problem_attr: null, reason: null };
const FIGURE = /^(?<field>\S+): (?<expected>\S+) in the manifest, (?<actual>\S+) stored$/;

let lodged: LodgedBook;
beforeAll(async () => {
  const made = await manifestOfBook(BOOK, false, new AbortController().signal);
  const [example] = (Manifest.meta()?.examples ?? []) as [Manifest];
  if (made === undefined) throw new Error('It was not stopped.');
  lodged = { manifest: { ...example, lodged_before_load: true }, isNew: true, expected: made.expected };
});

/** The differences that were planted, as the service lists them. */
function planted(): ReconciliationDifference[] {
  return [...lodged.expected].flatMap(([external_account_number, texts]) => {
    return texts.map((text): ReconciliationDifference => {
      const { field, expected, actual } = FIGURE.exec(text)?.groups ?? {};
      const account = { external_account_number, ...NO_PROBLEM };
      if (field === undefined || expected === undefined || actual === undefined) {
        const kind = text as ReconciliationDifference['kind'];
        return { ...account, kind, field: 'account', expected: null, actual: null };
      }
      return { ...account, kind: 'DIFFERENT', field, expected, actual };
    });
  });
}

/** What is made of these differences. */
async function proofOf(
  found: ReconciliationDifference[],
  { movedByHand = new Set(), ...changes }: Partial<LodgedBook> & { movedByHand?: ReadonlySet<string> } = {},
): Promise<Proof> {
  const [example] = (Reconciliation.meta()?.examples ?? []) as [Reconciliation];
  const answer = (status: number, body: unknown): Answer => ({ request: '', requestId: '', status, body });
  const client = {
    post: async () => answer(201, example),
    put: async () => answer(200, {}),
    get: async (path: string) =>
      answer(200, path.endsWith('/differences/') ? found.map((one) => JSON.stringify(one)).join('\n') : example),
  };
  const stop = new AbortController().signal;
  const proof = await prove({ client, importSupplier: 'HV', movedByHand, stop }, { ...lodged, ...changes });
  if (proof === undefined) throw new Error('It was not stopped.');
  return proof;
}

const note: ReconciliationDifference = {
  ...{ external_account_number: 'HV-400010', kind: 'DIFFERENT', field: 'notes', expected: '1', actual: '2' },
  ...NO_PROBLEM,
};

it('18.10 expects a penny, a forgotten account, and what was refused', async () => {
  expect(lodged.expected.get('HV-390001')).toEqual(['transfer_balance: 36.11 in the manifest, 36.10 stored']);
  expect(lodged.expected.get('HV-390002')).toEqual(['EXTRA']);
  const kinds = new Set(planted().map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(['DIFFERENT', 'EXTRA', 'MISSING', 'NOT_CREATED', 'SKIPPED']);
  expect(await proofOf(planted())).toMatchObject({ unexpected: [], addedSince: [] });
});

it('18.10 reports a difference that was not found, or has another value', async () => {
  const { unexpected } = await proofOf(planted().filter(({ external_account_number: one }) => one !== 'HV-390001'));
  expect(unexpected).toEqual([
    'HV-390001: no difference; expected was transfer_balance: 36.11 in the manifest, 36.10 stored',
  ]);
  const other = planted().map((one) => (one.actual === '36.10' ? { ...one, actual: '36.09' } : one));
  expect((await proofOf(other)).unexpected).toHaveLength(1);
});

it('18.10 reports a difference that nobody planted, unless it may have been added after an earlier run', async () => {
  const found = [...planted(), note];
  const text = 'HV-400010: notes: 1 in the manifest, 2 stored';
  expect((await proofOf(found)).unexpected).toEqual([`${text}; expected was none`]);
  expect(await proofOf(found, { isNew: false })).toMatchObject({ unexpected: [], addedSince: [text] });
  const missing = [...planted(), { ...note, kind: 'MISSING' as const }];
  expect((await proofOf(missing, { isNew: false })).unexpected).toHaveLength(1);
});

it('18.3 reports no difference of an account that was moved by hand', async () => {
  const found = planted().filter(({ kind }) => kind !== 'MISSING');
  const [number = ''] = [...lodged.expected].find(([, texts]) => texts.includes('MISSING')) ?? [];
  const text = `${number}: no difference`;
  expect((await proofOf(found, { isNew: false })).unexpected).toEqual([`${text}; expected was MISSING`]);
  const proof = await proofOf(found, { isNew: false, movedByHand: new Set([number]) });
  expect(proof).toMatchObject({ unexpected: [], addedSince: [text] });
});
