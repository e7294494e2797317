import { quoted } from '@causeway/cli/quoted';
import { run } from '@causeway/cli/run';
import type { Screen } from './screen.ts';

/** Whose commands are run, and where. */
export interface User {
  /** The process's environment variables. */
  variables: Readonly<Record<string, string | undefined>>;
  url: string;
  apiKey: string;
  /** The folder that the user is in. */
  folder: string;
  screen: Screen;
  stop: AbortSignal;
}

/** What a command ended with, and what it wrote to its standard output. */
export interface Ended {
  code: number;
  output: string;
}

/** Some rows were refused, or something differs: the sample book is made so. */
const REFUSED = 3;

/**
 * Runs a command of the command line in this process, as this user would (behaviour 25). The screen shows what is typed
 * and what the command writes. Throws a `CommandFailed`, after the command has said why, unless it came to its end.
 */
export async function causeway(user: User, ...words: readonly string[]): Promise<Ended> {
  const { variables, url, apiKey, folder: directory, screen, stop } = user;
  screen.write(`\n${screen.paint('bold', `$ causeway ${words.map(quoted).join(' ')}`)}\n`);
  let output = '';
  const stdout = {
    isTTY: process.stdout.isTTY,
    columns: process.stdout.columns,
    write: (text: string) => {
      output += text;
      screen.write(text);
    },
  };
  const code = await run(words, {
    variables: { ...variables, CAUSEWAY_URL: url, CAUSEWAY_API_KEY: apiKey },
    ...{ directory, stdin: process.stdin, stdout, stderr: process.stderr, stop },
    now: () => new Date(),
  });
  if (code !== 0 && code !== REFUSED) throw new CommandFailed(words, code);
  return { code, output };
}

/** A command did not come to its end. */
export class CommandFailed extends Error {
  constructor(words: readonly string[], code: number) {
    super(`causeway ${words[0]} ended with ${code}.`);
  }
}
