import { Command } from 'commander';
import type { Ending } from './failure.ts';
import { addFlags, addServiceFlags, type Flags, type ServiceFlags } from './flags.ts';
import type { Output } from './output.ts';
import type { Surroundings } from './surroundings.ts';

/** What a command works with. */
export interface Context extends Surroundings {
  flags: Flags & ServiceFlags;
  output: Output;
}

/** What a command is given: `words` are its arguments, `options` its own flags, as commander reads them. */
interface Input {
  // biome-ignore lint/suspicious/noExplicitAny: each command declares what commander gives it.
  words: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  options: any;
  /** The whole command line. */
  program: Command;
}

/** What a command does. */
export type Action = (context: Context, input: Input) => Promise<Result>;

export interface Definition {
  /** `show <id>`: as commander writes a command and its arguments. */
  usage: string;
  /** One sentence without a full stop, for the list of commands. */
  summary: string;
  /** What the help says above the flags: what the command guarantees, and what comes next. */
  description?: string;
  /** Each runs against the demo. The first words say what it does. */
  examples: readonly Example[];
  /** Adds the command's own flags. */
  flags?: (command: Command) => Command;
  /** Commands of its own: `causeway map check`. What stands behind their names is theirs. */
  subcommands?: readonly Definition[];
  /** Whether it never calls the service. */
  isLocal?: boolean;
  /** Loads what it does: a start loads nothing that another command needs. */
  load: () => Promise<Action>;
}

/** A command that only holds others: `causeway admin keys issue`. Alone, it shows its help. */
export interface Group {
  name: string;
  summary: string;
  commands: readonly (Definition | Group)[];
}

export interface Example {
  says: string;
  /** Without the word `causeway`. */
  command: string;
}

/** Runs an action with the context of this start. */
export type Runner = (command: Command, load: Definition['load']) => Promise<void>;

const examplesOf = new WeakMap<Command, readonly Example[]>();

/** The examples of a command, for its help and the manual. */
export function examples(command: Command): readonly Example[] {
  return examplesOf.get(command) ?? [];
}

/** A command of the command line, or a group of them, from its definition. */
export function defineCommand(definition: Definition | Group, run: Runner): Command {
  if ('commands' in definition) return defineGroup(definition, run);
  const { usage, summary, description, flags, subcommands = [], isLocal = false, load } = definition;
  const [name = '', ...words] = usage.split(' ');
  const command = new Command(name).summary(summary).description(description ?? asSentence(summary));
  if (words.length > 0) command.arguments(words.join(' '));
  flags?.(command);
  if (!isLocal) addServiceFlags(command);
  addFlags(command);
  examplesOf.set(command, definition.examples);
  if (subcommands.length > 0) command.enablePositionalOptions();
  for (const subcommand of subcommands) command.addCommand(defineCommand(subcommand, run));
  return command.action(() => run(command, load));
}

function defineGroup({ name, summary, commands }: Group, run: Runner): Command {
  const group = new Command(name)
    .summary(summary)
    .description(asSentence(summary))
    .helpOption('-h, --help', 'show this help');
  for (const command of commands) group.addCommand(defineCommand(command, run));
  return group;
}

function asSentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

/** What a command came to. */
export interface Result {
  /** How it ends: `done` unless said. */
  ending?: Ending;
  /** With `--json` the one document on stdout; with `--json-lines` the last event, `finished`. */
  document: object;
  /** Data for people, on stdout; absent where the command wrote its data itself. */
  lines?: readonly string[];
}
