import { PageHeader } from '../../components/page-header.tsx';

/** Who moves accounts here? */
export function OrganisationsPage() {
  return <PageHeader title="Organisations" question="Who moves accounts here?" />;
}
