import type { Command } from 'commander';
import { defineCommand, type Runner } from '../frame/define-command.ts';

/** Who calls, and where the service is. */
export function sessionCommands(run: Runner): Command[] {
  return [
    defineCommand(
      {
        usage: 'login',
        summary: 'keep an API key and the address of its service',
        description:
          'Tries the key and keeps it in ~/.config/causeway/credentials.json, readable by you alone. Asks for the key in a terminal; elsewhere reads it from standard input.',
        examples: [
          { says: 'the key is asked for', command: 'login --url http://127.0.0.1:3000' },
          { says: 'without a keyboard', command: 'login --url http://127.0.0.1:3000 < key.txt' },
        ],
        service: true,
        load: async () => (await import('./login.ts')).login,
      },
      run,
    ),
    defineCommand(
      {
        usage: 'whoami',
        summary: 'say which service and key the other commands use, and what the key may do',
        examples: [{ says: 'check that the login still works', command: 'whoami' }],
        service: true,
        load: async () => (await import('./whoami.ts')).whoami,
      },
      run,
    ),
    defineCommand(
      {
        usage: 'logout',
        summary: 'forget the key of the login',
        description: 'Forgets the key on this machine. It stays valid: the service team revokes keys.',
        examples: [{ says: 'forget it', command: 'logout' }],
        load: async () => (await import('./logout.ts')).logout,
      },
      run,
    ),
  ];
}
