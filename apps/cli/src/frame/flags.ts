import { type Command, Option } from 'commander';

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
