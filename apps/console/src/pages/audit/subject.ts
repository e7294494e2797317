import type { Filter } from '../../components/filter-bar.tsx';
import type { InputOf } from '../../data/ask.ts';

export type SubjectQuery = InputOf<'audit.list'>;
type Subject = SubjectQuery['subject'];
export type SubjectField = 'id' | 'code' | 'number';
interface SubjectWords {
  name: string;
  fields: readonly Filter<SubjectField>[];
}

const ID: readonly Filter<SubjectField>[] = [{ name: 'id', label: 'Id' }];
const CODE: Filter<SubjectField> = { name: 'code', label: 'Supplier' };

/** What has a trail, and by what it is named. */
export const SUBJECTS: Record<Subject, SubjectWords> = {
  account_import: { name: 'an account', fields: [CODE, { name: 'number', label: 'Account number' }] },
  import_supplier: { name: 'an import supplier', fields: [CODE] },
  bulk_job: { name: 'a job', fields: ID },
  manifest: { name: 'a manifest', fields: ID },
  reconciliation: { name: 'a reconciliation', fields: ID },
  organisation: { name: 'an organisation', fields: ID },
  api_key: { name: 'a key', fields: ID },
  operations_team: { name: 'a team', fields: ID },
  webhook_endpoint: { name: 'a webhook', fields: ID },
};

export function isSubject(subject: string): subject is Subject {
  return Object.hasOwn(SUBJECTS, subject);
}

type Named = { [N in 'subject' | SubjectField]?: string | undefined };

/** What the service is asked for; undefined until it is named as a whole. */
export function subjectOf({ subject, id, code, number }: Named): SubjectQuery | undefined {
  if (subject === undefined || !isSubject(subject)) return undefined;
  if (subject === 'account_import') {
    return code !== undefined && number !== undefined ? { subject, code, external_account_number: number } : undefined;
  }
  if (subject === 'import_supplier') return code === undefined ? undefined : { subject, code };
  return id === undefined ? undefined : { subject, id };
}
