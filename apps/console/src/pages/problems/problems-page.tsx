import { PageHeader } from '../../components/page-header.tsx';

/** What keeps accounts from being complete? */
export function ProblemsPage() {
  return <PageHeader title="Problems" question="What keeps accounts from being complete?" />;
}
