import { PageHeader } from '../../components/page-header.tsx';

/** What happened to it, and who did it? */
export function AccountPage() {
  return <PageHeader title="Account" question="What happened to it, and who did it?" />;
}
