import { setTimeout as wait } from 'node:timers/promises';
import { ListReconciliationsResponse, Reconciliation, ReconciliationDifference } from '@causeway/contracts';
import type { BookOptions } from '@causeway/realistic-books';
import { bodyOf, linesOf } from '../answers.ts';
import type { Screen } from '../screen.ts';
import { type LodgedManifest, lodgeManifest, type ManifestContext } from './lodge-manifest.ts';
import { type ManifestOfBook, manifestOfBook } from './manifest-of-book.ts';
import { differenceText } from './planted.ts';

export interface ProofContext extends ManifestContext {
  stop: AbortSignal;
}

interface JudgeContext extends ProofContext {
  /** Accounts of the book that somebody has changed since an earlier run. */
  movedByHand: ReadonlySet<string>;
}

/** What the book claims, as it was lodged, with what will differ from it. */
export interface LodgedBook extends LodgedManifest, Pick<ManifestOfBook, 'expected'> {
  /** Nothing of the book was there before, but for what a run has left that was interrupted. */
  isFirstRun: boolean;
}

/** What a comparison of the manifest with what is stored has shown. */
export interface Proof extends LodgedManifest {
  reconciliation: Reconciliation;
  differences: ReconciliationDifference[];
  /** Empty if the differences are those that were planted, and no others. */
  unexpected: string[];
  /** What somebody has added since an earlier run of the demo: it differs, and rightly so. */
  addedSince: string[];
}

const LOOK_AGAIN_MS = 250;

/** Lodges what the book has, before it is moved; undefined if it was stopped before. */
export async function lodgeBook(
  context: ProofContext,
  { book, inBulk }: { book: BookOptions; inBulk: boolean },
  screen: Screen,
): Promise<LodgedBook | undefined> {
  const manifest = await manifestOfBook(book, inBulk, context.stop);
  if (manifest === undefined) return undefined;
  const lodged = await lodgeManifest(context, manifest, book.bookDate);
  const accounts = `a line for each of ${manifest.totals.accounts.toLocaleString('en-GB')} accounts`;
  screen.write(
    `  ${lodged.isNew ? 'Lodged a manifest of what the source has' : 'Its manifest is lodged already'}, ${accounts}\n`,
  );
  return { ...lodged, expected: manifest.expected, isFirstRun: await isFirstRun(context, lodged) };
}

/** Compares what is stored with the manifest (behaviour 23); undefined if it was stopped before. */
export async function prove(context: JudgeContext, lodged: LodgedBook): Promise<Proof | undefined> {
  const { client, stop, movedByHand } = context;
  const request = { manifest_id: lodged.manifest.id };
  const { id } = bodyOf(await client.post('reconciliations/', request), 201, Reconciliation);
  while (!stop.aborted) {
    const reconciliation = bodyOf(await client.get(`reconciliations/${id}/`), 200, Reconciliation);
    if (reconciliation.state === 'FINISHED') {
      const differences = linesOf(await client.get(`reconciliations/${id}/differences/`), ReconciliationDifference);
      return { ...lodged, reconciliation, differences, ...judge(differences, lodged, movedByHand) };
    }
    await wait(LOOK_AGAIN_MS);
  }
  return undefined;
}

/** Who was interrupted was shown no key: what is there was moved by that run, and is judged as strictly as a first one. */
async function isFirstRun({ client, importSupplier }: ManifestContext, { manifest }: LodgedManifest): Promise<boolean> {
  if (manifest.lodged_before_load !== true) return false;
  const answer = await client.get(`reconciliations/?import_supplier=${importSupplier}`);
  const compared = bodyOf(answer, 200, ListReconciliationsResponse);
  return !compared.some(({ manifest_id, state }) => manifest_id === manifest.id && state === 'FINISHED');
}

/** Accounts that differ in another way than was planted, or not at all. */
function judge(
  differences: readonly ReconciliationDifference[],
  lodged: LodgedBook,
  movedByHand: ReadonlySet<string>,
): Pick<Proof, 'unexpected' | 'addedSince'> {
  const found = Map.groupBy(differences, ({ external_account_number }) => external_account_number);
  const { expected } = lodged;
  const judged: Pick<Proof, 'unexpected' | 'addedSince'> = { unexpected: [], addedSince: [] };
  for (const number of new Set([...expected.keys(), ...found.keys()])) {
    const planted = expected.get(number) ?? [];
    const here = found.get(number) ?? [];
    const texts = here.map(differenceText);
    if (planted.toSorted().join() === texts.toSorted().join()) continue;
    const isExtra = planted.length === 0 && here.every(({ kind }) => kind === 'EXTRA' || kind === 'DIFFERENT');
    const problem = `${number}: ${texts.join(', ') || 'no difference'}`;
    if (movedByHand.has(number) || (isExtra && !lodged.isFirstRun)) judged.addedSince.push(problem);
    else judged.unexpected.push(`${problem}; expected was ${planted.join(', ') || 'none'}`);
  }
  return judged;
}
