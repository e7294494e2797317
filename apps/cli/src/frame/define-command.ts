import { Command } from 'commander';
import { addFlags, addServiceFlags, type Flags, type ServiceFlags } from './flags.ts';
import type { Output } from './output.ts';
import type { Result } from './result.ts';
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
  /** Whether it calls the service. */
  service?: boolean;
  /** Loads what it does: a start loads nothing that another command needs. */
  load: () => Promise<Action>;
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

/** A command of the command line from its definition. */
export function defineCommand(definition: Definition, run: Runner): Command {
  const { usage, summary, description, flags, service = false, load } = definition;
  const [name = '', ...words] = usage.split(' ');
  const command = new Command(name).summary(summary).description(description ?? asSentence(summary));
  if (words.length > 0) command.arguments(words.join(' '));
  flags?.(command);
  if (service) addServiceFlags(command);
  addFlags(command);
  examplesOf.set(command, definition.examples);
  return command.action(() => run(command, load));
}

/** A command that only holds others: `causeway admin keys issue`. Alone, it shows its help. */
export function defineGroup(name: string, summary: string, commands: readonly Command[]): Command {
  const group = new Command(name)
    .summary(summary)
    .description(asSentence(summary))
    .helpOption('-h, --help', 'show this help');
  for (const command of commands) group.addCommand(command);
  return group;
}

function asSentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}
