import { PageHeader } from '../../components/page-header.tsx';

/** What has to be fixed, and where? */
export function ProblemPage() {
  return <PageHeader title="Problem" question="What has to be fixed, and where?" />;
}
