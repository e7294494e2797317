import { PageHeader } from '../../components/page-header.tsx';

/** How fast is it, and may I slow it? */
export function JobPage() {
  return <PageHeader title="Job" question="How fast is it, and may I slow it?" />;
}
