import type { Definition } from '../frame/define-command.ts';

/** What can be sent, and what the service says of it: known without a service. */
export const fieldCommands: readonly Definition[] = [
  {
    usage: 'fields [word...]',
    summary: 'list the fields of a payload: type, whether required, and what each is',
    description:
      'Lists every field of an account and its history, without a service: the kind of file or view and the column in it, then its type, whether it is required, and what it is. A 0 in a name is an item of a list; without it, each row is one. The first word may be a kind, such as transactions; lines have all other words. --json has the path in the payload too.',
    examples: [
      { says: 'the columns of transactions', command: 'fields transactions' },
      { says: 'where does a move-in date go?', command: 'fields supply from date' },
    ],
    isLocal: true,
    load: async () => (await import('./list-fields.ts')).listFields,
  },
  {
    usage: 'codes [word...]',
    summary: 'list the codes of errors, fields and remarks: when they come, and what to do',
    description:
      'Lists the codes that the service answers, without a service: of whole errors, of fields at fault, and of remarks. Lists those that have all words.',
    examples: [{ says: 'what does this code mean?', command: 'codes unlikely_meter_point' }],
    isLocal: true,
    load: async () => (await import('./list-codes.ts')).listCodes,
  },
];
