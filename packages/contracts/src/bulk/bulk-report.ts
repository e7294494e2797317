import { z } from 'zod';
import { documented, field } from '../field.ts';
import { UtcDatetime } from '../formats.ts';
import { BulkCounts, BulkSums } from './bulk-figures.ts';
import { BulkProblem } from './bulk-problems.ts';

/** What the last rehearsal of a bulk job showed (behaviour 21.9). It names what it did not cover. */
export const BulkReport = z
  .object({
    finished_at: field(UtcDatetime, 'When the rehearsal ended, in UTC.', '2026-04-16T21:14:09Z'),
    counts: field(BulkCounts, 'What would have happened to the lines.'),
    sums: field(BulkSums, 'What the created lines would add up to.'),
    problems: field(z.array(BulkProblem), 'The problems, those of most lines first, at most 100.'),
    durations: field(
      z.array(
        z.object({
          parallelism: field(z.number(), 'Chunks that are worked on at the same time.', 2),
          seconds: field(z.number(), 'How long the real run is expected to take.', 1480),
          from: field(z.number(), 'The same at the better rates that were seen.', 1390),
          to: field(z.number(), 'The same at the poorer rates that were seen.', 1660),
        }),
      ),
      'How long the real run is expected to take.',
    ),
    accounts_changed_since: field(
      z.number(),
      'How many accounts of the import supplier were staged, or staged again, since the rehearsal began.',
      0,
    ),
    not_covered: field(z.array(z.string()), 'What a rehearsal cannot show, as sentences.', [
      'The payment vendor is not asked.',
    ]),
  })
  .apply(documented, 'BulkReport', 'What the last rehearsal of the job showed.');
export type BulkReport = z.infer<typeof BulkReport>;
