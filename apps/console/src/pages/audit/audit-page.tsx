import { PageHeader } from '../../components/page-header.tsx';

/** Who did what, and when? */
export function AuditPage() {
  return <PageHeader title="Audit" question="Who did what, and when?" />;
}
