import { Link } from '@tanstack/react-router';
import { PageHeader } from '../components/page-header.tsx';

/** At an address that no page has. */
export function NotFoundPage() {
  return (
    <>
      <PageHeader
        title="Nothing is at this address"
        question="It may have been typed wrong, or belong to another version."
      />
      <Link to="/">Go to the overview</Link>
    </>
  );
}
