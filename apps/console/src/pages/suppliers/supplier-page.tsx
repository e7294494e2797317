import { PageHeader } from '../../components/page-header.tsx';

/** How is this supplier set up? */
export function SupplierPage() {
  return <PageHeader title="Import supplier" question="How is this supplier set up?" />;
}
