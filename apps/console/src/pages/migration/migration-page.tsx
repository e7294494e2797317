import { PageHeader } from '../../components/page-header.tsx';

/** Can I sign the cutover? */
export function MigrationPage() {
  return <PageHeader title="Migration" question="Can I sign the cutover?" />;
}
