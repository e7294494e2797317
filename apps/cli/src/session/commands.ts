import type { Definition } from '../frame/define-command.ts';

/** Who calls, and where the service is. */
export const sessionCommands: readonly Definition[] = [
  {
    usage: 'login',
    summary: 'keep an API key and the address of its service',
    description:
      'Tries the key and keeps it in ~/.config/causeway/credentials.json, readable by you alone. Asks for the key in a terminal; elsewhere reads it from standard input.',
    examples: [
      { says: 'the key is asked for', command: 'login --url http://127.0.0.1:3000' },
      { says: 'without a keyboard', command: 'login --url http://127.0.0.1:3000 < key.txt' },
    ],
    load: async () => (await import('./login.ts')).login,
  },
  {
    usage: 'whoami',
    summary: 'say which service and key the other commands use, and what the key may do',
    examples: [{ says: 'check that the login still works', command: 'whoami' }],
    load: async () => (await import('./whoami.ts')).whoami,
  },
  {
    usage: 'logout',
    summary: 'forget the key of the login',
    description: 'Forgets the key on this machine. It stays valid: the service team revokes keys.',
    examples: [{ says: 'forget it', command: 'logout' }],
    isLocal: true,
    load: async () => (await import('./login.ts')).logout,
  },
];
