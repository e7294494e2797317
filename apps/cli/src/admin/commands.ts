import type { Definition, Group } from '../frame/define-command.ts';
import { addSupplierFlags } from './supplier-flags.ts';

const OF_ORGANISATION = 'the name of an organisation, or its id';
const NAME = 'what the service team calls it';

const ORGANISATIONS: readonly Definition[] = [
  {
    usage: 'create <name>',
    summary: 'create an organisation',
    description:
      'Creates an organisation: a company that migrates. Its name is unique. Next it needs an import supplier and a key.',
    examples: [{ says: 'the first step of a migration', command: "admin organisations create 'Northwind'" }],
    load: async () => (await import('./organisations.ts')).createOrganisation,
  },
  {
    usage: 'list',
    summary: 'list the organisations, oldest first',
    examples: [{ says: 'who migrates here?', command: 'admin organisations list' }],
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
    load: async () => (await import('./keys.ts')).issueKey,
  },
  {
    usage: 'list',
    summary: 'list the keys, never the keys themselves, oldest first',
    examples: [{ says: "a supplier's", command: "admin keys list --organisation 'Harbour & Vale Energy Ltd'" }],
    flags: (command) => command.option('--organisation <name>', OF_ORGANISATION),
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
    load: async () => (await import('./keys.ts')).revokeKey,
  },
];

const SUPPLIERS: readonly Definition[] = [
  {
    usage: 'create <code>',
    summary: 'create an import supplier',
    description:
      'Creates an import supplier of an organisation: a group of accounts that are moved under one code, with their settings. It is ONGOING: its accounts can be moved at once. In brackets: what a setting is if it is left out.',
    examples: [
      {
        says: 'with the usual settings',
        command:
          "admin suppliers create HARBOUR-VALE-2 --name 'Second cohort' --organisation 'Harbour & Vale Energy Ltd'",
      },
    ],
    flags: (command) =>
      addSupplierFlags(
        command.requiredOption('--organisation <name>', OF_ORGANISATION).requiredOption('--name <text>', NAME),
      ),
    load: async () => (await import('./suppliers.ts')).createSupplier,
  },
  {
    usage: 'update <code>',
    summary: 'change settings of an import supplier',
    description:
      'Changes the settings that are named, and no others. Accounts that are stored already stay as they are.',
    examples: [
      {
        says: 'refuse what nobody would store',
        command: 'admin suppliers update HARBOUR-VALE --undocumented-fields REJECT',
      },
    ],
    flags: (command) => addSupplierFlags(command.option('--name <text>', NAME)),
    load: async () => (await import('./suppliers.ts')).updateSupplier,
  },
  {
    usage: 'show <code>',
    summary: 'show the settings of an import supplier, its accounts by state, and whether it is ready',
    examples: [{ says: 'can it be called complete?', command: 'admin suppliers show HARBOUR-VALE' }],
    load: async () => (await import('./suppliers.ts')).showSupplier,
  },
  {
    usage: 'list',
    summary: 'list the import suppliers in the order of their codes',
    examples: [{ says: 'all of them', command: 'admin suppliers list' }],
    flags: (command) => command.option('--organisation <name>', OF_ORGANISATION),
    load: async () => (await import('./suppliers.ts')).listSuppliers,
  },
  {
    usage: 'status <code> <status>',
    summary: 'make an import supplier ONGOING, PAUSED or COMPLETE',
    description:
      'Changes whether an import supplier accepts accounts, at once and everywhere. The code has to be typed to confirm it; where there is no terminal, --yes does. COMPLETE while a condition of readiness is not met, and ONGOING after COMPLETE, need a --reason, which the audit trail keeps.',
    examples: [
      { says: 'stop a load for now', command: 'admin suppliers status HARBOUR-VALE PAUSED' },
      { says: 'continue', command: 'admin suppliers status HARBOUR-VALE ONGOING --yes' },
    ],
    flags: (command) => command.option('--reason <text>', 'why, for the audit trail'),
    load: async () => (await import('./supplier-status.ts')).setStatus,
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
    load: async () => (await import('./teams.ts')).createTeam,
  },
  {
    usage: 'list',
    summary: 'list the operations teams, oldest first',
    examples: [{ says: 'which teams are there?', command: 'admin teams list' }],
    load: async () => (await import('./teams.ts')).listTeams,
  },
];

/** What the service team does before, during and after a migration. */
export const adminCommands: Group = {
  name: 'admin',
  summary: 'for the service team: organisations, keys, import suppliers and teams',
  commands: [
    { name: 'organisations', summary: 'the companies that migrate', commands: ORGANISATIONS },
    { name: 'keys', summary: 'the API keys of organisations and of the service team', commands: KEYS },
    { name: 'suppliers', summary: 'import suppliers, their settings and their status', commands: SUPPLIERS },
    { name: 'teams', summary: 'the operations teams to which created accounts are linked', commands: TEAMS },
  ],
};
