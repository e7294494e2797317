import { z } from 'zod';
import { optional } from './field.ts';

/** The field with which an import is tried and rolled back (behaviour 4.14). */
export const DryRun = optional(
  z.boolean(),
  'True: do everything and roll it back. The answer to a success is then 400 `dry_run_rolled_back`, with the answer that there would have been under `would_answer`. Default: false.',
  false,
);
