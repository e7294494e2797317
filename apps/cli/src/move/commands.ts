import type { Definition } from '../frame/define-command.ts';

const DESCRIPTION =
  'Moves each line of a book by the public calls for one account: validate, stage, process, notes, transactions, ' +
  'statements, payment instruction. How far it has come is kept in the folder <book>.causeway, once a second: after a ' +
  'kill, a power cut or Ctrl-C the same command continues, and nothing is moved twice (with --no-check-previously-added, ' +
  'the service knows for 24 hours what it has added, and later a line that may have been moved is refused). It adapts the number of concurrent calls to what the service can take. Refused lines are in failed.ndjson, with their reasons: fix them there and move that ' +
  'file. For whole books on the server, see causeway upload.';

/** Moving by calls. */
export const moveCommands: readonly Definition[] = [
  {
    usage: 'move <book...>',
    summary: 'move a book by single calls, from where it was left',
    description: DESCRIPTION,
    examples: [
      {
        says: 'the whole book; after an interruption the same command continues',
        command: 'move book.ndjson --supplier HARBOUR-VALE --team "Migration Operations"',
      },
      {
        says: 'try it: nothing is created',
        command: 'move book.ndjson --supplier HARBOUR-VALE --team "Migration Operations" --dry-run',
      },
      {
        says: 'the lines that were refused, once they are fixed',
        command: 'move book.ndjson.causeway/failed.ndjson --supplier HARBOUR-VALE --team "Migration Operations"',
      },
    ],
    flags: (command) =>
      command
        .requiredOption('--supplier <code>', 'the import supplier of the book')
        .requiredOption('--team <name>', 'the operations team to which the accounts are linked')
        .option('--dry-run', 'validate and stage each account and try to create it; no history is sent')
        .option('--concurrency <n>', 'accounts to move at once; adapts to the service if absent')
        .option('--rate <n>', 'at most so many accounts a second')
        .option('--max-refused <n|p%>', 'stop when more lines are refused than this number, or share')
        .option('--replace', 'replace accounts that exist with other data, for as long as they can be undone')
        .option('--no-check-previously-added', 'add every transaction without looking whether it is there'),
    load: async () => (await import('./move.ts')).move,
  },
];
