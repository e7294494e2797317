import { PageHeader } from '../../components/page-header.tsx';

/** Who can log in, and with what? */
export function KeysPage() {
  return <PageHeader title="API keys" question="Who can log in, and with what?" />;
}
