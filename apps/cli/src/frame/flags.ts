import { type Command, Option } from 'commander';
import { Failure } from './failure.ts';

/** The flags of all commands (behaviour 25.1). */
export interface Flags {
  json?: boolean;
  jsonLines?: boolean;
  quiet?: boolean;
  color: boolean;
  yes?: boolean;
}

/** Those of a command that calls the service. */
export interface ServiceFlags {
  /** Where the service is. */
  url?: string;
  /** A file that holds an API key and nothing else. */
  apiKeyFile?: string;
  /** How long to keep trying where the service is away: `15m`. */
  patience?: string;
}

/** Adds the flags of all commands. They stand behind a command's own in its help. */
export function addFlags(command: Command): Command {
  return command
    .optionsGroup('Flags of every command:')
    .addOption(new Option('--json', 'print one JSON document').conflicts('jsonLines'))
    .addOption(new Option('--json-lines', 'print events, one JSON object a line, as they happen'))
    .addOption(new Option('--quiet', 'no progress and no remarks'))
    .addOption(new Option('--no-color', 'no colours, as with NO_COLOR'))
    .addOption(new Option('--yes', 'answer yes where a command would ask'))
    .helpOption('-h, --help', 'show this help');
}

/** Adds the flags of a command that calls the service. A key is never a flag: others on the machine would see it. */
export function addServiceFlags(command: Command): Command {
  return command
    .optionsGroup('Where the service is:')
    .addOption(new Option('--url <address>', 'in place of CAUSEWAY_URL and of the login'))
    .addOption(
      new Option('--api-key-file <file>', 'a file with the API key, in place of CAUSEWAY_API_KEY and of the login'),
    )
    .addOption(new Option('--patience <duration>', 'how long to keep trying while the service is away, such as 15m'));
}

const UNITS_MS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** A duration as a flag has it, `90s`, `15m` or `2h`, in milliseconds. Throws a Failure for anything else. */
export function millisecondsOf(text: string): number {
  const [, number = '', unit = ''] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
  const unitMs = UNITS_MS[unit];
  if (unitMs !== undefined) return Number(number) * unitMs;
  throw new Failure('usage', `"${text}" is not a duration. Give one such as 90s, 15m or 2h.`);
}

/** The variables of the environment that the command line reads (behaviour 25.9.4). */
export const VARIABLES = {
  CAUSEWAY_URL: 'the address of the service, in place of the one of the login',
  CAUSEWAY_API_KEY: 'the API key, in place of the one of the login',
  CAUSEWAY_DEBUG: '1: an unexpected error comes with the place where it happened',
  XDG_CONFIG_HOME: 'where the login is kept, in place of ~/.config',
  NO_COLOR: '1: no colours',
} as const;
