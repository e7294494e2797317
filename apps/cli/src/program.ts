import { Command, type CommanderError } from 'commander';
import { commandGroups } from './commands.ts';
import { examples, type Runner } from './frame/define-command.ts';
import { EXIT_CODES } from './frame/exit-codes.ts';
import type { Surroundings } from './frame/surroundings.ts';
import { VERSION } from './version.ts';

/** The command line: every command with its help. Nothing that a command does is loaded before it runs. */
export function createProgram({ stdout, stderr }: Surroundings, run: Runner): Command {
  const program = new Command('causeway')
    .description('Moves the accounts of a supplier onto the platform, from files.')
    .version(VERSION, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this help');
  for (const { heading, commands } of commandGroups(run)) {
    program.commandsGroup(heading);
    for (const command of commands) program.addCommand(command);
  }
  program.commandsGroup('This program:').helpCommand('help [command]', 'show how a command is used');
  program.addHelpText('after', () => `\nExit codes:\n${exitCodeLines().join('\n')}\n`);
  prepare(program, { stdout, stderr });
  return program;
}

function exitCodeLines(): string[] {
  return Object.values(EXIT_CODES).map(({ code, meaning }) => `  ${String(code).padStart(3)}  ${meaning}`);
}

/** What is said of every command alike. */
function prepare(command: Command, { stdout, stderr }: Pick<Surroundings, 'stdout' | 'stderr'>): void {
  command
    .exitOverride((error: CommanderError) => {
      throw error;
    })
    .showHelpAfterError(`See causeway ${pathOf(command)}--help.`)
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      getOutHelpWidth: () => stdout.columns ?? 100,
      getErrHelpWidth: () => stderr.columns ?? 100,
      outputError: (text, write) => write(text.replace(/^error: /, '')),
    })
    .addHelpText('after', ({ command: shown }) => exampleLines(shown));
  for (const child of command.commands) prepare(child, { stdout, stderr });
}

/** The words that name a command, each with a space behind it. */
function pathOf(command: Command): string {
  return command.parent === null ? '' : `${pathOf(command.parent)}${command.name()} `;
}

function exampleLines(command: Command): string {
  const known = examples(command).map(({ says, command: line }) => `  # ${says}\n  causeway ${line}\n`);
  return known.length === 0 ? '' : `\nExamples:\n${known.join('')}`;
}
