import { PageHeader } from '../../components/page-header.tsx';

/** Which jobs run, and which wait? */
export function JobsPage() {
  return <PageHeader title="Jobs" question="Which jobs run, and which wait?" />;
}
