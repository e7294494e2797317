import type { Group } from '../frame/define-command.ts';

const SUPPLIER = 'the code of the import supplier';
const TOTALS = 'a JSON file with the totals that the source has counted, unless the manifest has them';
const ENCODING = 'of the manifest, unless it is UTF-8: windows-1252, cp850, utf-8,windows-1252 line by line ...';
const FORM =
  'A manifest is a file with a line for each account: NDJSON, or CSV or a sheet whose header has the names of the fields, packed or not. Its totals stand in a line of their own, {"totals": {...}}, or in a file of their own.';

/** What the source has, counted there, and lodged before anything is moved. */
export const manifestCommands: Group = {
  name: 'manifest',
  summary: 'lodge what the source has, for the comparison with what arrived',
  commands: [
    {
      usage: 'build <book...>',
      summary: 'compute a manifest from a book, for a test',
      description:
        'Computes what a manifest would say if the source had counted what the book has, by the rules of the import supplier: figures, fingerprints and totals. It is marked as computed from the book, for it only proves that the book arrives. A real manifest comes from the system that you move from. Lines that would be refused are not in it, and are named.',
      examples: [
        { says: 'from a book', command: 'manifest build book.ndjson --supplier HARBOUR-VALE -o manifest.ndjson' },
      ],
      flags: (command) =>
        command
          .requiredOption('--supplier <code>', SUPPLIER)
          .requiredOption('-o, --output <file>', 'where the manifest is written')
          .option('--no-fingerprint', 'claim no fingerprints'),
      load: async () => (await import('./build.ts')).buildManifest,
    },
    {
      usage: 'check <manifest>',
      summary: 'check a manifest without the service: its lines, and whether they add up to its totals',
      description: `Checks what the service will check, and names each line and each figure that is wrong. Nothing is sent. ${FORM}`,
      examples: [
        { says: 'does it add up?', command: 'manifest check manifest.ndjson' },
        { says: 'totals from another report', command: 'manifest check manifest.csv --totals totals.json' },
      ],
      flags: (command) =>
        command
          .option('--totals <file>', TOTALS)
          .option('--encoding <name>', ENCODING)
          .option('--supplier <code>', SUPPLIER),
      isLocal: true,
      load: async () => (await import('./check.ts')).checkManifest,
    },
    {
      usage: 'lodge <manifest>',
      summary: 'lodge a manifest and seal it, best before the first account is moved',
      description: `Checks a manifest, uploads it and seals it: from then on nothing of it changes. Interrupted, the same command continues; a manifest that is lodged already is not lodged twice. ${FORM}`,
      examples: [
        {
          says: 'as the billing system has counted',
          command:
            'manifest lodge manifest.ndjson --supplier HARBOUR-VALE --source-system "Harbour billing" --as-of 2026-04-16T22:00:00Z',
        },
      ],
      flags: (command) =>
        command
          .requiredOption('--supplier <code>', SUPPLIER)
          .option('--source-system <name>', 'the system that counted, unless the manifest names it')
          .option('--as-of <datetime>', 'as of when it counted, in UTC, unless the manifest says so')
          .option('--totals <file>', TOTALS)
          .option('--encoding <name>', ENCODING),
      load: async () => (await import('./lodge.ts')).lodgeManifest,
    },
    {
      usage: 'list',
      summary: 'list the manifests of an import supplier, oldest first',
      examples: [{ says: 'what is lodged?', command: 'manifest list --supplier HARBOUR-VALE' }],
      flags: (command) => command.requiredOption('--supplier <code>', SUPPLIER),
      load: async () => (await import('./list.ts')).listManifests,
    },
    {
      usage: 'withdraw <id>',
      summary: 'withdraw a manifest that was wrong',
      description:
        'Withdraws a manifest: nothing is compared with it any more. It stays in the list. Lodge another one.',
      examples: [
        { says: 'by the id that list shows', command: 'manifest withdraw 019a9d51-2f7e-7c10-9b42-8e0f6a1d3c55' },
      ],
      load: async () => (await import('./list.ts')).withdrawManifest,
    },
  ],
};
