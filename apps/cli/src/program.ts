import { Command, type CommanderError } from 'commander';
import { adminCommands } from './admin/commands.ts';
import { cohortCommands } from './cohort/commands.ts';
import { completionCommands } from './completion/commands.ts';
import { convertCommands } from './convert/commands.ts';
import { fieldCommands } from './fields/commands.ts';
import { defineCommand, examples, type Runner } from './frame/define-command.ts';
import { EXIT_CODES } from './frame/failure.ts';
import { VARIABLES } from './frame/flags.ts';
import type { Surroundings } from './frame/surroundings.ts';
import { jobCommands } from './jobs/job-commands.ts';
import { manifestCommands } from './manifest/commands.ts';
import { mapCommands } from './map/commands.ts';
import { moveCommands } from './move/commands.ts';
import { readingCommands } from './reading/commands.ts';
import { reconcileCommands } from './reconcile/commands.ts';
import { sessionCommands } from './session/commands.ts';
import { visibleLines } from './terminal/lines.ts';
import { undoCommands } from './undo/commands.ts';
import { uploadCommands } from './upload/commands.ts';
import { validateCommands } from './validate/commands.ts';
import { VERSION } from './version.ts';

type Streams = Pick<Surroundings, 'stdout' | 'stderr'>;

/** Wider lines are hard to read. */
const MAX_COLUMNS = 100;

/** The command line: every command with its help. Nothing that a command does is loaded before it runs. */
export function createProgram(streams: Streams, run: Runner): Command {
  const program = new Command('causeway')
    .description('Moves the accounts of a supplier onto the platform, from files.')
    .usage('<command> [flags]')
    .version(VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this help')
    .helpCommand(false)
    // What stands behind a command's name is its own: `map` and `map check` have flags of the same name.
    .enablePositionalOptions();
  for (const [heading, commands] of Object.entries(COMMANDS)) {
    program.commandsGroup(heading);
    for (const command of commands) program.addCommand(defineCommand(command, run));
  }
  program.addCommand(helpCommand(program));
  program.addHelpText('after', () => `\n${closingLines().join('\n')}\n`);
  prepare(program, streams);
  return program;
}

/** `causeway help jobs watch`: commander's own knows one word. */
function helpCommand(program: Command): Command {
  return new Command('help')
    .summary('show how a command is used')
    .description('Shows how a command is used: causeway help move.')
    .argument('[command...]', 'the words that name it')
    .helpOption('-h, --help', 'show this help')
    .action((words: string[]) => {
      let found = program;
      for (const word of words) {
        const next = found.commands.find((command) => command.name() === word);
        if (next === undefined) program.error(`unknown command '${words.join(' ')}'`);
        found = next;
      }
      found.help();
    });
}

function closingLines(): string[] {
  return [
    'Exit codes:',
    ...Object.values(EXIT_CODES).map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`),
    '',
    'Variables:',
    ...Object.entries(VARIABLES).map(([name, meaning]) => `  ${name.padEnd(16)}  ${meaning}`),
    '',
    'How a command is used, with examples: causeway help login. All of them: docs/cli.md.',
  ];
}

/** What is said of every command alike. */
function prepare(command: Command, streams: Streams): void {
  const { stdout, stderr } = streams;
  command
    .exitOverride((error: CommanderError) => {
      throw error;
    })
    .configureHelp({ subcommandTerm })
    .showHelpAfterError(`See causeway ${pathOf(command)}--help.`)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(visibleLines(text)),
      getOutHelpWidth: () => Math.min(stdout.columns ?? MAX_COLUMNS, MAX_COLUMNS),
      getErrHelpWidth: () => Math.min(stderr.columns ?? MAX_COLUMNS, MAX_COLUMNS),
      outputError: (text, write) => write(text.replace(/^error: /, '')),
    })
    .addHelpText('after', ({ command: shown }) => exampleLines(shown));
  for (const child of command.commands) prepare(child, streams);
}

/** A command in a list, without the flags that all have. */
function subcommandTerm(command: Command): string {
  return `${command.name()} ${command.usage().replace('[options]', '')}`.replace(/\s+/g, ' ').trimEnd();
}

/** The words that name a command, each with a space behind it. */
function pathOf(command: Command): string {
  return command.parent === null ? '' : `${pathOf(command.parent)}${command.name()} `;
}

function exampleLines(command: Command): string {
  const known = examples(command).map(({ says, command: line }) => `  # ${says}\n  causeway ${line}\n`);
  return known.length === 0 ? '' : `\nExamples:\n${known.join('')}`;
}

/** All commands under the headings of the help, in its order. */
const COMMANDS = {
  'The login:': sessionCommands,
  'Files:': [...mapCommands, ...convertCommands, ...validateCommands, ...fieldCommands],
  'Moving:': [...moveCommands, ...uploadCommands, jobCommands, ...cohortCommands, undoCommands],
  'Looking:': readingCommands,
  'Proving:': [manifestCommands, ...reconcileCommands],
  'The service team:': [adminCommands],
  'This program:': completionCommands,
};
