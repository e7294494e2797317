import { PageHeader } from '../../components/page-header.tsx';

/** Which teams take accounts over? */
export function TeamsPage() {
  return <PageHeader title="Operations teams" question="Which teams take accounts over?" />;
}
