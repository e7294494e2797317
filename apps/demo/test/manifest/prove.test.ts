import { Manifest, Reconciliation, type ReconciliationDifference } from '@causeway/contracts';
import type { Answer } from '@causeway/rest-client';
import { beforeAll, expect, it } from 'vitest';
import { manifestOfBook } from '../../src/manifest/manifest-of-book.ts';
import { type LodgedBook, lodgeBook, type Proof, prove } from '../../src/manifest/prove.ts';
import type { Screen } from '../../src/screen.ts';

const BOOK = { seed: 's', importSupplier: 'HV', teamName: 'T', bookDate: '2026-03-17', accounts: 12 };
const NO_PROBLEM = { problem_operation: null, problem_code: null, problem_attr: null, reason: null };
const FIGURE = /^(?<field>\S+): (?<expected>\S+) in the manifest, (?<actual>\S+) stored$/;

let lodged: LodgedBook;
beforeAll(async () => {
  const made = await manifestOfBook(BOOK, false, new AbortController().signal);
  const [example] = (Manifest.meta()?.examples ?? []) as [Manifest];
  if (made === undefined) throw new Error('It was not stopped.');
  lodged = {
    manifest: { ...example, lodged_before_load: true },
    isNew: true,
    isFirstRun: true,
    expected: made.expected,
  };
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
  expect(await proofOf(found, { isFirstRun: false })).toMatchObject({ unexpected: [], addedSince: [text] });
  const missing = [...planted(), { ...note, kind: 'MISSING' as const }];
  expect((await proofOf(missing, { isFirstRun: false })).unexpected).toHaveLength(1);
});

it('18.3 reports no difference of an account that was moved by hand', async () => {
  const found = planted().filter(({ kind }) => kind !== 'MISSING');
  const [number = ''] = [...lodged.expected].find(([, texts]) => texts.includes('MISSING')) ?? [];
  const text = `${number}: no difference`;
  expect((await proofOf(found, { isFirstRun: false })).unexpected).toEqual([`${text}; expected was MISSING`]);
  const proof = await proofOf(found, { isFirstRun: false, movedByHand: new Set([number]) });
  expect(proof).toMatchObject({ unexpected: [], addedSince: [text] });
});

/** What a run makes of these differences that finds the book's manifest lodged, and these reconciliations. */
async function laterProofOf(found: ReconciliationDifference[], earlier: Partial<Reconciliation>[]): Promise<Proof> {
  const [manifest] = (Manifest.meta()?.examples ?? []) as [Manifest];
  const [example] = (Reconciliation.meta()?.examples ?? []) as [Reconciliation];
  const stop = new AbortController().signal;
  const totals = (await manifestOfBook(BOOK, false, stop))?.totals;
  const known = {
    ...manifest,
    totals,
    source_system: 'Harbour & Vale billing',
    state: 'SEALED',
    lodged_before_load: true,
  };
  const bodies: Record<string, unknown> = {
    'manifests/?import_supplier=HV': [known],
    'reconciliations/?import_supplier=HV': earlier.map((one) => ({ ...example, manifest_id: known.id, ...one })),
    [`reconciliations/${example.id}/differences/`]: found.map((one) => JSON.stringify(one)).join('\n'),
  };
  const answer = (status: number, body: unknown): Answer => ({ request: '', requestId: '', status, body });
  const client = {
    post: async () => answer(201, example),
    put: async () => answer(200, {}),
    get: async (path: string) => answer(200, bodies[path] ?? example),
  };
  const context = { client, importSupplier: 'HV', movedByHand: new Set<string>(), stop };
  const screen = { write: () => undefined, paint: (_: string, text: string) => text } as unknown as Screen;
  const book = await lodgeBook(context, { book: BOOK, inBulk: false }, screen);
  const proof = book && (await prove(context, book));
  return proof ?? expect.fail('It was not stopped.');
}

it('18.3 judges what an interrupted run has left as strictly as a first run, until a run has ended', async () => {
  const found = [...planted(), note];
  expect((await laterProofOf(found, [])).unexpected).toHaveLength(1);
  const others = [{ state: 'CANCELLED' as const }, { manifest_id: '019a9d51-2f7e-7c10-9b42-8e0f6a1d3c56' }];
  expect((await laterProofOf(found, others)).unexpected).toHaveLength(1);
  expect(await laterProofOf(found, [{ state: 'FINISHED' }])).toMatchObject({ unexpected: [] });
});
