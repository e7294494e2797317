import type { Command } from 'commander';
import { type Definition, defineCommand, defineGroup, type Runner } from '../frame/define-command.ts';
import { supplierCommands } from './supplier-commands.ts';

const OF_ORGANISATION = 'the name of an organisation, or its id';

const ORGANISATIONS: readonly Definition[] = [
  {
    usage: 'create <name>',
    summary: 'create an organisation',
    description:
      'Creates an organisation: a company that migrates. Its name is unique. Next it needs an import supplier and a key.',
    examples: [{ says: 'the first step of a migration', command: "admin organisations create 'Northwind'" }],
    service: true,
    load: async () => (await import('./organisations.ts')).createOrganisation,
  },
  {
    usage: 'list',
    summary: 'list the organisations, oldest first',
    examples: [{ says: 'who migrates here?', command: 'admin organisations list' }],
    service: true,
    load: async () => (await import('./organisations.ts')).listOrganisations,
  },
];

const KEYS: readonly Definition[] = [
  {
    usage: 'issue',
    summary: 'issue an API key',
    description:
      'Issues a key to an organisation, or to the service team. The key alone is written to standard output, once: only its digest is stored. A key of the service team belongs to one person, in whose name it signs reconciliations off, and is either --read-only or --full.',
    examples: [
      {
        says: 'for a supplier, into a file',
        command: "admin keys issue --organisation 'Harbour & Vale Energy Ltd' --label 'live' > key.txt",
      },
      {
        says: 'for a colleague who looks and changes nothing',
        command: "admin keys issue --staff --person 'Priya Raman' --read-only --label 'console'",
      },
    ],
    flags: (command) =>
      command
        .requiredOption('--label <text>', 'what the key is for')
        .option('--organisation <name>', OF_ORGANISATION)
        .option('--staff', 'a key of the service team')
        .option('--person <name>', 'of a key of the service team: the one person who uses it')
        .option('--read-only', 'of a key of the service team: changes nothing and shows no personal data')
        .option('--full', 'of a key of the service team: allows everything'),
    service: true,
    load: async () => (await import('./keys.ts')).issueKey,
  },
  {
    usage: 'list',
    summary: 'list the keys, never the keys themselves, oldest first',
    examples: [{ says: "a supplier's", command: "admin keys list --organisation 'Harbour & Vale Energy Ltd'" }],
    flags: (command) => command.option('--organisation <name>', OF_ORGANISATION),
    service: true,
    load: async () => (await import('./keys.ts')).listKeys,
  },
  {
    usage: 'revoke <id>',
    summary: 'revoke a key, for good',
    description:
      'Revokes a key: within 5 seconds it and its tokens stop working everywhere. Issue the next key first if its user works on.',
    examples: [
      { says: 'by the id that list shows', command: 'admin keys revoke 6f0f5cf4-4f3e-4d53-8d0c-0a53b1d8a9f1' },
    ],
    service: true,
    load: async () => (await import('./keys.ts')).revokeKey,
  },
];

const TEAMS: readonly Definition[] = [
  {
    usage: 'create <name>',
    summary: 'create an operations team',
    description:
      'Creates an operations team, to which created accounts are linked. Suppliers name it when they move accounts.',
    examples: [{ says: 'open to all organisations', command: "admin teams create 'Migration support'" }],
    flags: (command) => command.option('--organisation <name>', `${OF_ORGANISATION}, which alone may use it`),
    service: true,
    load: async () => (await import('./teams.ts')).createTeam,
  },
  {
    usage: 'list',
    summary: 'list the operations teams, oldest first',
    examples: [{ says: 'which teams are there?', command: 'admin teams list' }],
    service: true,
    load: async () => (await import('./teams.ts')).listTeams,
  },
];

/** What the service team does before, during and after a migration. */
export function adminCommands(run: Runner): Command[] {
  return [
    defineGroup('admin', 'for the service team: organisations, keys, import suppliers and teams', [
      defineGroup('organisations', 'the companies that migrate', defined(ORGANISATIONS, run)),
      defineGroup('keys', 'the API keys of organisations and of the service team', defined(KEYS, run)),
      defineGroup('suppliers', 'import suppliers, their settings and their status', supplierCommands(run)),
      defineGroup('teams', 'the operations teams to which created accounts are linked', defined(TEAMS, run)),
    ]),
  ];
}

function defined(definitions: readonly Definition[], run: Runner): Command[] {
  return definitions.map((definition) => defineCommand(definition, run));
}
