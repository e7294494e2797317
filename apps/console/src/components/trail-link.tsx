import { Link } from '@tanstack/react-router';

/** Leads to the audit trail of one thing, which its id or its code names. */
export function TrailLink(subject: { subject: string; id?: string; code?: string }) {
  return (
    <Link to="/audit" search={subject}>
      Who did what
    </Link>
  );
}
