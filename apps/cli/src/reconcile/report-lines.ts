import type { ManifestRecord, Reconciliation, SignOff } from '@causeway/contracts';
import { counted } from '../terminal/counted.ts';
import { verdictLines } from './verdict-lines.ts';

/** What the signed report of a reconciliation says, as far as it is shown (behaviour 24.4.2). */
export interface Report extends Pick<Reconciliation, 'verdict' | 'covered' | 'totals' | 'accounts' | 'moved_ranges'> {
  report: string;
  issued_at: string;
  import_supplier: { code: string; name: string; organisation: string };
  manifest: Pick<ManifestRecord, 'id' | 'source_system' | 'as_of' | 'computed_from_book' | 'lodged_before_load'> & {
    digest: string;
    person: string | null;
    sealed_by: string;
    sealed_at: string | null;
  };
  reconciliation: { id: string; created_by: string; person: string | null; finished_at: string | null };
  differences: { count: number; digest: string };
  bulk_jobs: { id: string; rehearsed: boolean; done: boolean }[];
  signed_off: SignOff | null;
}

/** What was signed, by whom and when, for people. */
export function reportLines(report: Report): string[] {
  const { import_supplier, manifest, reconciliation, differences, bulk_jobs, signed_off } = report;
  const compared = {
    ...report,
    ...{ import_supplier: import_supplier.code, finished_at: reconciliation.finished_at },
  } as unknown as Reconciliation;
  return [
    `${import_supplier.organisation}: ${import_supplier.name}`,
    ...verdictLines({ reconciliation: compared, manifest, samples: [] }),
    '',
    `Report issued ${report.issued_at}, of reconciliation ${reconciliation.id}`,
    `  compared by ${who(reconciliation.created_by, reconciliation.person)}`,
    `  manifest ${manifest.id}, sealed ${manifest.sealed_at} by ${who(manifest.sealed_by, manifest.person)}`,
    `  ${counted(differences.count, 'difference')}; ${counted(bulk_jobs.length, 'bulk job')} before it`,
    ...(signed_off === null
      ? ['  not signed off']
      : [`  signed off by ${signed_off.person}, ${signed_off.at}: ${signed_off.note}`, `  ${signed_off.covers}`]),
  ];
}

const who = (kind: string, person: string | null) => person ?? (kind === 'staff' ? 'the service team' : 'the supplier');
