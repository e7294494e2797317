import type { Command } from 'commander';
import type { Runner } from './frame/define-command.ts';
import { sessionCommands } from './session/commands.ts';

/** All commands, in the order of the help. */
export function commands(run: Runner): Command[] {
  return [...sessionCommands(run)];
}
