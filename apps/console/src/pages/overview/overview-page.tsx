import { PageHeader } from '../../components/page-header.tsx';

/** Is anything in trouble? */
export function OverviewPage() {
  return <PageHeader title="Overview" question="Is anything in trouble?" />;
}
