import type { Definition } from '../frame/define-command.ts';

/** Whether what was moved is what the source has, and the proof of it. */
export const reconcileCommands: readonly Definition[] = [
  {
    usage: 'reconcile',
    summary: 'compare what is stored with the manifest, account by account, to the penny',
    description:
      'Compares the newest sealed manifest of an import supplier with what is stored, waits for the verdict and shows it: what it covers, the totals on both sides, and the differences of each kind. Nothing is locked or paused meanwhile. EQUAL ends with 0. DIFFERENT ends with 3, and so does MOVED, which means that accounts kept changing and nothing was proved: compare again when it is quieter. A cell of the differences as CSV holds the stored text unchanged. A spreadsheet reads one that begins with = + - or @ as a formula, so import the columns as text.',
    examples: [
      {
        says: 'compare, and keep the signed report',
        command: 'reconcile --supplier HARBOUR-VALE --report report.jws',
      },
      { says: 'all differences, for a spreadsheet', command: 'reconcile --supplier HARBOUR-VALE -o differences.csv' },
    ],
    flags: (command) =>
      command
        .option('--supplier <code>', 'the code of the import supplier')
        .option('--manifest <id>', 'a sealed manifest, in place of the newest one')
        .option('--id <id>', 'show a reconciliation that was begun before, and begin none')
        .option('--no-watch', 'begin it and do not wait: --id comes back to it')
        .option('-o, --output <file>', 'write all differences: CSV if the name ends with .csv, else NDJSON')
        .option('--report <file>', 'write the signed report'),
    load: async () => (await import('./reconcile.ts')).reconcile,
  },
  {
    usage: 'verify <report>',
    summary: 'verify the signed report of a reconciliation, also without the service',
    description:
      'Verifies that a report was signed by the service and that no character of it was changed, and says what it says. The keys come from the service, without a login, or from a file that holds /.well-known/jwks.json. With --differences and --manifest it also verifies that these files are the ones that the report speaks of. What does not verify ends with 3.',
    examples: [
      { says: 'with the keys of the service', command: 'verify report.jws --url http://127.0.0.1:3000' },
      { says: 'without it', command: 'verify report.jws --jwks jwks.json --differences differences.csv' },
    ],
    flags: (command) =>
      command
        .option('--url <address>', 'of the service, in place of CAUSEWAY_URL and of the login')
        .option('--jwks <file>', 'the public keys, in place of those that the service publishes')
        .option('--differences <file>', 'the differences as reconcile -o wrote them')
        .option('--manifest <file>', 'the manifest as it was lodged by causeway manifest lodge')
        .option('--encoding <name>', 'of the manifest, as it was given to lodge'),
    isLocal: true,
    load: async () => (await import('./verify.ts')).verify,
  },
];
