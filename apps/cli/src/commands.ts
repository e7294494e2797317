import type { Command } from 'commander';
import { adminCommands } from './admin/commands.ts';
import { completionCommands } from './completion/commands.ts';
import { convertCommands } from './convert/commands.ts';
import type { Runner } from './frame/define-command.ts';
import { manifestCommands } from './manifest/commands.ts';
import { moveCommands } from './move/commands.ts';
import { reconcileCommands } from './reconcile/commands.ts';
import { sessionCommands } from './session/commands.ts';

/** Commands that the help lists together. */
interface Group {
  heading: string;
  commands: Command[];
}

/** All commands, in the order of the help; a group without commands is not shown. */
export function commandGroups(run: Runner): Group[] {
  return [
    { heading: 'The login:', commands: [...sessionCommands(run)] },
    { heading: 'Files:', commands: [...convertCommands(run)] },
    { heading: 'Moving:', commands: [...moveCommands(run)] },
    { heading: 'Looking:', commands: [] },
    { heading: 'Proving:', commands: [...manifestCommands(run), ...reconcileCommands(run)] },
    { heading: 'The service team:', commands: [...adminCommands(run)] },
    { heading: 'This program:', commands: [...completionCommands(run)] },
  ];
}
