import { PageHeader } from '../../components/page-header.tsx';

/** Which settings does each supplier have? */
export function SuppliersPage() {
  return <PageHeader title="Import suppliers" question="Which settings does each supplier have?" />;
}
