import type { BulkJobOptions } from '@causeway/contracts';
import { type Command, Option } from 'commander';
import { Failure } from '../frame/failure.ts';

/** The flags of a job's options, as commander reads them. */
export interface JobFlags {
  team?: string;
  parallelism?: string;
  accountsPerSecond?: string;
  maxRefused?: string;
  checkPreviouslyAdded: boolean;
  forceAddToCurrentStatement: boolean;
}

/** Adds the flags of a job's options; those of history only where lines bring any. */
export function addJobFlags(command: Command, { hasHistory }: { hasHistory: boolean }): Command {
  command
    .optionsGroup('How the job works:')
    .option('--parallelism <n>', 'work on up to n chunks of 100 accounts at once; 1 unless given')
    .option('--accounts-per-second <n>', 'no faster than this')
    .option('--max-refused <n|n%>', 'pause when more lines are refused, or more of the first 10,000; 10% unless given');
  if (!hasHistory) return command;
  return command
    .addOption(
      new Option(
        '--no-check-previously-added',
        'do not skip transactions that the account already has: can duplicate them',
      ),
    )
    .addOption(
      new Option('--no-force-add-to-current-statement', 'refuse transactions outside the open statement period'),
    );
}

/** The options that were given; the others are the service's defaults. Throws a Failure for what is no number. */
export function jobOptions(flags: JobFlags): Partial<BulkJobOptions> {
  const { team, parallelism, accountsPerSecond, maxRefused } = flags;
  return {
    ...(team !== undefined && { operations_team_name: team }),
    ...(parallelism !== undefined && { parallelism: wholeNumber('--parallelism', parallelism) }),
    ...(accountsPerSecond !== undefined && {
      accounts_per_second: wholeNumber('--accounts-per-second', accountsPerSecond),
    }),
    ...(maxRefused !== undefined && refusedOptions(maxRefused)),
    ...(flags.checkPreviouslyAdded === false && { check_previously_added: false }),
    ...(flags.forceAddToCurrentStatement === false && { force_add_to_current_statement: false }),
  };
}

function refusedOptions(text: string): Partial<BulkJobOptions> {
  const [, percent] = /^(\d{1,3}(?:\.\d+)?)%$/.exec(text) ?? [];
  if (percent === undefined) return { max_refused: wholeNumber('--max-refused', text), max_refused_ratio: null };
  return { max_refused_ratio: Number(percent) / 100 };
}

function wholeNumber(flag: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new Failure('usage', `${flag} ${text}: give a whole number.`);
}
