import { z } from 'zod';

/** What a key of the service team may do (behaviour 14.3.5). */
export const StaffRole = z.enum(['FULL', 'READ_ONLY']);
export type StaffRole = z.infer<typeof StaffRole>;

export const STAFF_ROLES =
  'FULL: everything. READ_ONLY: reads, and neither changes anything nor is shown personal data.';
