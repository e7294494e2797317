import { accountsInOrder, numberAccounts } from '../../convert/accounts-in-order.ts';
import { assemble } from '../../convert/assemble.ts';
import { viewOf } from '../../convert/kind-names.ts';
import { relationsOf } from '../../convert/mapped-relations.ts';
import { findNearMisses } from '../../convert/near-misses.ts';
import { decideStyles } from '../../convert/questions.ts';
import type { Store } from '../../convert/store.ts';
import { Remarks } from '../../convert/suspicions.ts';
import { UnreadableCells } from '../../convert/unreadable-cells.ts';
import type { Relation } from '../../mapping/relations.ts';
import { packLines } from '../../validate/batch.ts';
import { createLineChecker } from '../../validate/check-lines.ts';
import { type Cluster, TotalFindings } from '../../validate/findings.ts';
import type { CheckSettings } from '../../validate/read-settings.ts';

/** What is put together, and how much of it. */
export interface PreviewOf {
  mapping: string;
  relations: readonly Relation[];
  supplier: string | undefined;
  accounts: number;
  shown: (text: string) => string;
}

/** The first accounts as they would be sent. */
export interface Preview {
  lines: string[];
  /** Accounts among the first that have a faulty row. */
  rejected: number;
  /** What is wrong with them, and how often. */
  faults: { view: string; column: string | undefined; detail: string; times: number }[];
}

/** Puts the first accounts together, as `convert` does. */
export async function previewAccounts(store: Store, of: PreviewOf): Promise<Preview> {
  const options = { output: '', supplier: of.supplier };
  const unread = await relationsOf(store, of.relations, { mapping: of.mapping, options });
  const { relations } = decideStyles(store.database, unread, options);
  const misses = findNearMisses(store, numberAccounts(store, relations));
  const by = {
    supplier: of.supplier,
    historyOnly: false,
    leavesOutUnmatched: true,
    misses,
    shown: of.shown,
    remarks: new Remarks(),
    unreadable: new UnreadableCells(store.database),
  };
  const preview: Preview = { lines: [], rejected: 0, faults: [] };
  const faults = new Map<string, Preview['faults'][number]>();
  for (const account of accountsInOrder(store, relations)) {
    if (preview.lines.length + preview.rejected >= of.accounts) break;
    const { line, isAccount, faults: found } = assemble(account, by);
    if (isAccount && line !== undefined) preview.lines.push(JSON.stringify(line));
    if (isAccount && line === undefined) preview.rejected += 1;
    for (const { row, fault } of isAccount ? found : []) {
      const view = viewOf(row.relation.kind.name);
      const key = JSON.stringify([view, fault.column, fault.detail]);
      const known = faults.get(key) ?? { view, column: fault.column, detail: fault.detail, times: 0 };
      faults.set(key, { ...known, times: known.times + 1 });
    }
  }
  return { ...preview, faults: [...faults.values()].sort((one, other) => other.times - one.times) };
}

/** What the service would say of lines: the rules of `validate`. */
export function judgeLines(
  lines: readonly string[],
  settings: CheckSettings,
): { refused: number; clusters: readonly Cluster[] } {
  const total = new TotalFindings();
  const placed = lines.map((line, index) => ({ number: index + 1, offset: 0, bytes: Buffer.from(line) }));
  total.add(createLineChecker(settings)({ batch: packLines(placed), file: undefined, duplicates: [] }).findings);
  return { refused: total.refused, clusters: total.clusters };
}
