import type { Command } from 'commander';
import { defineCommand, type Runner } from '../frame/define-command.ts';
import { addSupplierFlags } from './supplier-flags.ts';

const OF_ORGANISATION = 'the name of an organisation, or its id';
const NAME = 'what the service team calls it';

export function supplierCommands(run: Runner): Command[] {
  return [
    defineCommand(
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
        service: true,
        load: async () => (await import('./suppliers.ts')).createSupplier,
      },
      run,
    ),
    defineCommand(
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
        service: true,
        load: async () => (await import('./suppliers.ts')).updateSupplier,
      },
      run,
    ),
    ...readingCommands(run),
    statusCommand(run),
  ];
}

function readingCommands(run: Runner): Command[] {
  return [
    defineCommand(
      {
        usage: 'show <code>',
        summary: 'show the settings of an import supplier, its accounts by state, and whether it is ready',
        examples: [{ says: 'can it be called complete?', command: 'admin suppliers show HARBOUR-VALE' }],
        service: true,
        load: async () => (await import('./suppliers.ts')).showSupplier,
      },
      run,
    ),
    defineCommand(
      {
        usage: 'list',
        summary: 'list the import suppliers in the order of their codes',
        examples: [{ says: 'all of them', command: 'admin suppliers list' }],
        flags: (command) => command.option('--organisation <name>', OF_ORGANISATION),
        service: true,
        load: async () => (await import('./suppliers.ts')).listSuppliers,
      },
      run,
    ),
  ];
}

function statusCommand(run: Runner): Command {
  return defineCommand(
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
      service: true,
      load: async () => (await import('./supplier-status.ts')).setStatus,
    },
    run,
  );
}
