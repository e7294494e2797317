import type { Argument, Command, Option } from 'commander';
import { examples } from '../frame/define-command.ts';
import { EXIT_CODES } from '../frame/failure.ts';
import { addFlags, addServiceFlags, VARIABLES } from '../frame/flags.ts';
import { createProgram } from '../program.ts';

/** How to get the program. */
const WAY_IN = `It is one file, which every service has at \`/cli/\`; it needs Node 22.15 or newer and nothing else:

\`\`\`sh
curl -fO http://127.0.0.1:3000/cli/causeway.mjs
curl -f http://127.0.0.1:3000/cli/causeway.mjs.sha256 | sha256sum -c
causeway() { node causeway.mjs "$@"; }
causeway login --url http://127.0.0.1:3000
\`\`\`

The commands that it prints begin with \`causeway\`, as on this page: the function defines that name in this shell. For every shell, save the file as \`causeway\` in a folder of your \`PATH\` and make it executable. In the repository
\`npx -y pnpm@12 causeway\` runs it from the sources, with paths relative to the folder that you are in; the lines that
pnpm adds go to stderr.

Files and folders that a command writes are readable by you alone (modes 0600 and 0700), since customers are in them:
\`chmod\` those that others need. What \`>\` writes has the mode that your shell gives it.

The examples run against the demo (\`npx -y pnpm@12 demo\`).`;

/** What is known of other versions of Node than 26, and other systems than Linux, where all of it is tested. */
const PLATFORMS = `## Versions of Node

Node 22.15 and newer run everything but two things. Before Node 26 a packed book is read if it is gzip, not zstd, since
an older Node does not notice that a zstd file was cut off. \`map\`, \`map check\` and \`convert --mapping\` need Node
24.10. Node 22 and 24 may warn that SQLite is experimental.

## macOS and Windows

All of it is tested on Linux, with Node 26. Nothing needs Linux; what differs elsewhere, by what Node documents:

- **Signals**: Ctrl-C ends a command in an orderly way everywhere. Windows has no SIGTERM: \`taskkill\` without \`/f\` and
  \`process.kill\` end the program at once, as \`kill -9\` does; the same command resumes from its checkpoint. SIGHUP comes
  when the window of a terminal is closed; Windows ends the program some 10 seconds later, whatever it does.
- **Paths**: the login is kept in \`~/.config/causeway\` on every system (on Windows below \`%USERPROFILE%\`), unless
  \`XDG_CONFIG_HOME\` says otherwise. Windows ignores its mode 0600, and that of every file that is
  written: the rights of the folder protect it there.
- **Files that are replaced** (checkpoints, the login) are renamed over the old one. Windows refuses that while another
  program, such as a scanner, has the old one open: the command then ends, and continues when it is run again.
- **Lock files** name the process that holds them. That a process has ended is seen on the same machine only: do not run
  two machines on one folder.
- **Completion** on macOS: its bash (3.2) and its zsh take the scripts. PowerShell has none.
- \`sha256sum\` is \`shasum -a 256\` on macOS and \`Get-FileHash\` on Windows.`;

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

/** The commands that do something: those without commands of their own, and those that have examples beside them. */
function leavesOf(command: Command): Command[] {
  const isLeaf = command.commands.length === 0 || examples(command).length > 0;
  return [...(isLeaf ? [command] : []), ...command.commands.flatMap(leavesOf)];
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
  // A description that says when it needs the service says enough.
  const isOfService =
    command.options.some(({ long }) => long === '--url') && !command.description().includes('Needs no service');
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
