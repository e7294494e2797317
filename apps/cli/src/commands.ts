import type { Command } from 'commander';
import { adminCommands } from './admin/commands.ts';
import { cohortCommands } from './cohort/commands.ts';
import { completionCommands } from './completion/commands.ts';
import { convertCommands } from './convert/commands.ts';
import type { Runner } from './frame/define-command.ts';
import { jobCommands } from './jobs/job-commands.ts';
import { manifestCommands } from './manifest/commands.ts';
import { moveCommands } from './move/commands.ts';
import { readingCommands } from './reading/commands.ts';
import { reconcileCommands } from './reconcile/commands.ts';
import { sessionCommands } from './session/commands.ts';
import { uploadCommands } from './upload/commands.ts';
import { validateCommands } from './validate/commands.ts';

/** Commands that the help lists together. */
interface Group {
  heading: string;
  commands: Command[];
}

/** All commands, in the order of the help; a group without commands is not shown. */
export function commandGroups(run: Runner): Group[] {
  return [
    { heading: 'The login:', commands: [...sessionCommands(run)] },
    { heading: 'Files:', commands: [...convertCommands(run), ...validateCommands(run)] },
    {
      heading: 'Moving:',
      commands: [...moveCommands(run), ...uploadCommands(run), ...jobCommands(run), ...cohortCommands(run)],
    },
    { heading: 'Looking:', commands: [...readingCommands(run)] },
    { heading: 'Proving:', commands: [...manifestCommands(run), ...reconcileCommands(run)] },
    { heading: 'The service team:', commands: [...adminCommands(run)] },
    { heading: 'This program:', commands: [...completionCommands(run)] },
  ];
}
