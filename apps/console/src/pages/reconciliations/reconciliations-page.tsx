import { PageHeader } from '../../components/page-header.tsx';

/** Which books were compared? */
export function ReconciliationsPage() {
  return <PageHeader title="Reconciliations" question="Which books were compared?" />;
}
