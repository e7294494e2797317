import { z } from 'zod';
import { documentationUrl } from './error-codes.ts';
import { errorBodyShape, urlField } from './errors.ts';
import { field, optional } from './field.ts';

/** What a dry run of an import adds: what it would have answered (behaviour 4.14). */
export const DryRunErrorBody = z
  .object({
    ...errorBodyShape,
    code: field(z.literal('dry_run_rolled_back'), 'Always dry_run_rolled_back.', 'dry_run_rolled_back'),
    documentation_url: urlField('dry_run_rolled_back'),
    would_answer: optional(
      z.unknown(),
      'The body of the answer that the request would have got without `dry_run`. Absent for the creation of an account.',
      [
        {
          created_at: '2025-11-20T10:15:00Z',
          body: 'Customer asked for a paper bill.',
          status: 'NOTE_CREATION_SUCCESS',
        },
      ],
    ),
  })
  .meta({
    id: 'DryRunErrorBody',
    description: 'The request would have succeeded. It was a dry run: all of it was done and rolled back.',
    examples: [
      {
        detail: 'The request would succeed. Nothing was stored: this was a dry run and was rolled back.',
        code: 'dry_run_rolled_back',
        errors: [],
        documentation_url: documentationUrl('dry_run_rolled_back'),
        would_answer: { service_account_number: 'A-7K3M9QXT', reference: 'pm_1NqkLXJ2eZvKYlo2' },
      },
    ],
  });
export type DryRunErrorBody = z.infer<typeof DryRunErrorBody>;
