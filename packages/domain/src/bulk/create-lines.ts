import { creationValues } from '../account-imports/creation-values.ts';
import { CREATE_BUNDLES } from '../bundles/create-bundle.sql.ts';
import { type Bundle, bundleValues } from '../bundles/prepare-bundle.ts';
import type { AccountKey } from '../derived-id.ts';
import { PausesJob } from './bulk-work.ts';
import type { AccountFigures } from './line-outcome.ts';
import { refuseUnlessOngoing } from './stage-lines.ts';
import { contextOf, type Writing } from './write-context.ts';

/** A staged account to be created, with its history. */
export interface CreatingLine {
  number: number;
  key: AccountKey;
  bundle: Bundle;
  figures: AccountFigures;
}

/**
 * Creates staged accounts by one statement, without waiting for others: each with its history, all or nothing. Returns,
 * by their ids, the numbers of those that were created. Throws `PausesJob` if the import supplier is not ongoing, or if
 * the operations team does not exist.
 */
export async function createLines(writing: Writing, lines: readonly CreatingLine[]): Promise<Map<string, string>> {
  if (lines.length === 0) return new Map();
  const { context, operationsTeamName: operations_team_name } = writing;
  const calls = lines.map((each) => {
    const creation = { ...each.key, operations_team_name, has_slot: true };
    const values = creationValues(contextOf(writing, each), creation);
    return { ...values, ...bundleValues(each.bundle, values.service_account_number) };
  });
  const rows = await context.database.query(CREATE_BUNDLES, { calls: JSON.stringify(calls), may_wait: false });
  const checked = rows.filter(({ locked }) => locked);
  refuseUnlessOngoing(checked);
  if (checked.some(({ operations_team_id }) => operations_team_id === null))
    throw new PausesJob('operations_team_gone');
  const created = new Set(rows.flatMap((row) => (row.created ? [row.id] : [])));
  return new Map(
    calls.flatMap(({ id, service_account_number }) => (created.has(id) ? [[id, service_account_number] as const] : [])),
  );
}
