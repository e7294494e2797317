import { Argument } from 'commander';
import type { Definition } from '../frame/define-command.ts';

/** What helps to use this program. */
export const completionCommands: readonly Definition[] = [
  {
    usage: 'completion',
    summary: 'print a script that lets a shell complete commands and flags',
    description:
      'Prints a script for bash, zsh or fish, in which Tab completes commands, flags and their values. It is for a program that is called causeway: keep causeway.mjs under this name in a folder of your PATH.',
    examples: [
      { says: 'for this bash', command: 'completion bash > ~/.causeway-completion && . ~/.causeway-completion' },
      { says: 'for every fish', command: 'completion fish > ~/.config/fish/completions/causeway.fish' },
    ],
    flags: (command) => command.addArgument(new Argument('<shell>', 'which one').choices(['bash', 'zsh', 'fish'])),
    isLocal: true,
    load: async () => (await import('./completion.ts')).completion,
  },
];
