import { PageHeader } from '../../components/page-header.tsx';

/** Where is this customer? */
export function AccountsPage() {
  return <PageHeader title="Accounts" question="Where is this customer?" />;
}
