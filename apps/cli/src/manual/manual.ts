import type { Argument, Command, Option } from 'commander';
import { examples } from '../frame/define-command.ts';
import { EXIT_CODES } from '../frame/exit-codes.ts';
import { addFlags, addServiceFlags } from '../frame/flags.ts';
import { VARIABLES } from '../frame/variables.ts';
import { createProgram } from '../program.ts';
import { PLATFORMS, WAY_IN } from './prose.ts';

/** `docs/cli.md`: what the help of every command says, as one document (behaviour 25.9.6). */
export function manual(): string {
  const silent = { write: () => true };
  const program = createProgram({ stdout: silent, stderr: silent }, async () => {});
  const leaves = leavesOf(program);
  return [
    '# The command line',
    '<!-- Written by pnpm document. Change the help of a command instead. -->',
    program.description(),
    WAY_IN,
    '## Commands',
    leaves.map((leaf) => `- [\`${nameOf(leaf)}\`](#${anchorOf(leaf)}): ${leaf.summary()}`).join('\n'),
    ...leaves.map(commandChapter),
    '## Flags of every command',
    flagList(addFlags(program.createCommand('any')).options),
    'And of those that call the service:',
    flagList(addServiceFlags(program.createCommand('any')).options),
    '## Exit codes',
    list(Object.values(EXIT_CODES).map(({ code, meaning }) => [String(code), meaning])),
    '## Variables',
    list(Object.entries(VARIABLES)),
    PLATFORMS,
  ]
    .join('\n\n')
    .concat('\n');
}

/** The commands that do something: those without commands of their own. */
function leavesOf(command: Command): Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

function anchorOf(command: Command): string {
  return nameOf(command).replaceAll(' ', '-');
}

function commandChapter(command: Command): string {
  const common = new Set(
    [addFlags, addServiceFlags].flatMap((add) => add(command.createCommand('any')).options.map(({ flags }) => flags)),
  );
  const own = command.options.filter(({ flags, hidden }) => !hidden && !common.has(flags));
  const isOfService = command.options.some(({ long }) => long === '--url');
  const usage = `${nameOf(command)} ${command.usage().replace('[options]', '')}`.replace(/\s+/g, ' ').trim();
  const shown = examples(command).map(({ says, command: line }) => `# ${says}\ncauseway ${line}`);
  return [
    `### ${nameOf(command)}`,
    command.description(),
    `\`${usage}\`${isOfService ? ' calls the service.' : ''}`,
    ...(command.registeredArguments.length > 0 ? [argumentList(command.registeredArguments)] : []),
    ...(own.length > 0 ? [flagList(own)] : []),
    ...(shown.length > 0 ? [`\`\`\`sh\n${shown.join('\n')}\n\`\`\``] : []),
  ].join('\n\n');
}

function argumentList(given: readonly Argument[]): string {
  return list(
    given.map((argument) => [argument.name(), [argument.description, ...notesOf(argument)].filter(Boolean).join('; ')]),
  );
}

function flagList(options: readonly Option[]): string {
  return list(options.map((option) => [option.flags, [option.description, ...notesOf(option)].join('; ')]));
}

/** What commander's help says behind a description. */
function notesOf({ argChoices, defaultValue }: Option | Argument): string[] {
  const choices = argChoices === undefined ? [] : [`one of ${argChoices.join(', ')}`];
  const isSaid = defaultValue !== undefined && typeof defaultValue !== 'boolean' && String(defaultValue) !== '';
  return [...choices, ...(isSaid ? [`\`${String(defaultValue)}\` if absent`] : [])];
}

function list(rows: readonly (readonly [string, string])[]): string {
  return rows.map(([name, meaning]) => `- \`${name}\`${meaning === '' ? '' : `: ${meaning}`}`).join('\n');
}
