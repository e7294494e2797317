import type { Command, Option } from 'commander';

/** A flag that a shell can complete. */
export interface Flag {
  name: string;
  says: string;
  takesValue: boolean;
  /** The values that it takes, where they are few. */
  values: readonly string[];
}

/** A command, or the program itself, whose path is empty. */
export interface Place {
  path: readonly string[];
  commands: readonly { name: string; says: string }[];
  flags: readonly Flag[];
  /** The values of its first argument, where they are few. */
  values: readonly string[];
}

/** Every place of the program, parents first. */
export function placesOf(command: Command, path: readonly string[] = []): Place[] {
  const commands = command.commands.map((child) => ({ name: child.name(), says: child.summary() }));
  const flags = command.options.filter(({ long, hidden }) => long !== undefined && !hidden).map(flagOf);
  const help = { name: '--help', says: 'show this help', takesValue: false, values: [] };
  const values = command.registeredArguments[0]?.argChoices ?? [];
  const children = command.commands.flatMap((child) => placesOf(child, [...path, child.name()]));
  return [{ path, commands, flags: [...flags, help], values }, ...children];
}

function flagOf({ long, description, required, optional, argChoices }: Option): Flag {
  return { name: long ?? '', says: description, takesValue: required || optional, values: argChoices ?? [] };
}
