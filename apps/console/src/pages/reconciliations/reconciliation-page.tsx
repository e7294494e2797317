import { PageHeader } from '../../components/page-header.tsx';

/** Is it all there, to the penny? */
export function ReconciliationPage() {
  return <PageHeader title="Reconciliation" question="Is it all there, to the penny?" />;
}
