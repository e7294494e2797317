import { ManifestLine } from '@causeway/contracts';
import { accountsInOrder, numberAccounts } from '../../convert/accounts-in-order.ts';
import { assemble } from '../../convert/assemble.ts';
import { viewOf } from '../../convert/kind-names.ts';
import { relationsOf } from '../../convert/mapped-relations.ts';
import { findNearMisses } from '../../convert/near-misses.ts';
import { decideStyles } from '../../convert/questions.ts';
import type { UnreadRelation } from '../../convert/relations.ts';
import type { Store } from '../../convert/store.ts';
import { type Remark, Remarks } from '../../convert/suspicions.ts';
import { UnreadableCells } from '../../convert/unreadable-cells.ts';
import { quotedName } from '../../extract/sql-names.ts';
import { Failure } from '../../frame/failure.ts';
import { createCellReader } from '../../manifest/manifest-cells.ts';
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
  /** Why views are left out of them, in lines. */
  leftOut: readonly string[];
  /** Accounts among the first that have a faulty row. */
  rejected: number;
  /** What is wrong with them, and how often. */
  faults: RowFault[];
  /** What `convert` will say of them. */
  remarks: readonly Remark[];
}

/** What is wrong with rows of a view. */
export interface RowFault {
  view: string;
  column: string | undefined;
  detail: string;
  times: number;
}

/** Puts the first accounts together, as `convert` does. */
export async function previewAccounts(store: Store, of: PreviewOf): Promise<Preview> {
  const options = { output: '', supplier: of.supplier };
  const leftOut: string[] = [];
  const unread: UnreadRelation[] = [];
  for (const view of of.relations) {
    await relationsOf(store, [view], { mapping: of.mapping, options }).then(
      (some) => unread.push(...some),
      (error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        leftOut.push(error.message, ...error.lines.filter((line) => !leftOut.includes(line)));
      },
    );
  }
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
  const preview = { lines: [] as string[], rejected: 0 };
  const faults = new Faults();
  for (const account of accountsInOrder(store, relations)) {
    if (preview.lines.length + preview.rejected >= of.accounts) break;
    const { line, isAccount, faults: found } = assemble(account, by);
    if (isAccount && line !== undefined) preview.lines.push(JSON.stringify(line));
    if (isAccount && line === undefined) preview.rejected += 1;
    for (const { row, fault } of isAccount ? found : []) {
      faults.add(viewOf(row.relation.kind.name), fault);
    }
  }
  return { ...preview, leftOut, faults: faults.all, remarks: by.remarks.all };
}

/** The rows of the view `manifest` that are no lines of a manifest, as `convert` and the service would find. */
export function manifestFaults(store: Store, manifest: Relation | undefined): readonly RowFault[] {
  if (manifest === undefined) return [];
  const { read } = createCellReader(manifest.columns, 'The view manifest');
  const unreadable = new UnreadableCells(store.database);
  const faults = new Faults();
  const columns = manifest.columns.map(quotedName).join(', ');
  for (const row of store.database.prepare(`SELECT ${columns} FROM ${quotedName(manifest.table)}`).iterate()) {
    const cells = manifest.columns.map((column) => String(row[column] ?? ''));
    for (const { path, message } of ManifestLine.safeParse(read(cells)).error?.issues ?? []) {
      const column = path.join('.');
      const unread = unreadable.in(cells[manifest.columns.indexOf(column)] ?? '');
      const detail = unread === undefined ? message : `${unread.function} cannot read it. ${unread.detail}`;
      faults.add(manifest.name, { column, detail });
    }
  }
  return faults.all;
}

/** Counts what is wrong, by view, column and reason. */
class Faults {
  readonly #faults = new Map<string, RowFault>();

  add(view: string, { column, detail }: { column?: string | undefined; detail: string }): void {
    const key = JSON.stringify([view, column, detail]);
    const times = (this.#faults.get(key)?.times ?? 0) + 1;
    this.#faults.set(key, { view, column, detail, times });
  }

  /** The most frequent ones first. */
  get all(): RowFault[] {
    return [...this.#faults.values()].sort((one, other) => other.times - one.times);
  }
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
