import type { Command, Option } from 'commander';
import type { Action } from '../frame/define-command.ts';

/** The script of each shell, for the words of every place. */
const SHELLS = {
  bash: bashScript,
  // zsh brings what runs a completion of bash.
  zsh: (places: readonly Place[]) =>
    `#compdef causeway\nautoload -U +X compinit && compinit\nautoload -U +X bashcompinit && bashcompinit\n${bashScript(places)}`,
  fish: fishScript,
} as const;

function bashScript(places: readonly Place[]): string {
  const known = places.filter(({ path }) => path.length > 0).map(({ path }) => `"${path.join(' ')}"`);
  return `_causeway() {
  local path="" words="" i
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "\${path:+$path }\${COMP_WORDS[i]}" in
      ${known.join('|')}) path="\${path:+$path }\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$path:$before" in
${places.flatMap(valueCases).join('\n')}
    *) case "$path:$word" in
${places.map(wordCases).join('\n')}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _causeway causeway
`;
}

/** The values of flags; none where a flag takes any: the shell then completes files. */
function valueCases({ path, flags }: Place): string[] {
  const cases = Map.groupBy(
    flags.filter(({ takesValue }) => takesValue),
    ({ values }) => values.join(' '),
  );
  return [...cases].map(([values, of]) => {
    const names = of.map(({ name }) => `"${path.join(' ')}:${name}"`);
    return `    ${names.join('|')}) words="${values}" ;;`;
  });
}

function wordCases({ path, commands, flags, values }: Place): string {
  const words = [...commands.map(({ name }) => name), ...values].join(' ');
  return `      "${path.join(' ')}:-"*) words="${flags.map(({ name }) => name).join(' ')}" ;;
      "${path.join(' ')}:"*) words="${words}" ;;`;
}

function fishScript(places: readonly Place[]): string {
  return `${places.flatMap(fishLines).join('\n')}\n`;
}

function fishLines({ path, commands, flags, values }: Place): string[] {
  const inside = path.map((word) => `__fish_seen_subcommand_from ${word}`);
  const none = commands.map(({ name }) => name).join(' ');
  const open =
    none === '' ? [] : [path.length === 0 ? '__fish_use_subcommand' : `not __fish_seen_subcommand_from ${none}`];
  const when = (conditions: readonly string[]) =>
    conditions.length === 0 ? '' : ` -n ${quoted(conditions.join('; and '))}`;
  const complete = `complete -c causeway${when(inside)}`;
  return [
    ...commands.map(
      ({ name, says }) => `complete -c causeway -f${when([...inside, ...open])} -a ${name} -d ${quoted(says)}`,
    ),
    ...(values.length > 0 ? [`${complete} -f -a ${quoted(values.join(' '))}`] : []),
    ...flags.map(({ name, says, takesValue, values: of }) => {
      const value = of.length > 0 ? ` -x -a ${quoted(of.join(' '))}` : takesValue ? ' -r' : '';
      return `${complete} -l ${name.slice(2)}${value} -d ${quoted(says)}`;
    }),
  ];
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** Prints the script that a shell reads to complete the words of this program (behaviour 25.9.5). */
export const completion: Action = async (_context, { words: [shell], program }) => {
  const script = SHELLS[shell as keyof typeof SHELLS](placesOf(program));
  return { document: { shell, script }, lines: [script.trimEnd()] };
};

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
