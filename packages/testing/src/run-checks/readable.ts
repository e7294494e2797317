import { stripVTControlCharacters } from 'node:util';

/** What the task runner, the package manager and the test runner say of themselves. */
const OF_THE_TOOLS = [
  /^\s*• /, // turbo's banner
  /^cache (?:miss|hit|bypass)/,
  /^\$ /, // the command of a package's script
  /^\s*RUN +v/,
  /^\s*(?:Start at|Isolate) /,
  /^\s+at least .* faster with/,
  /^\s*Cached: /,
];

/**
 * A line of the task runner's output as the reader of `test` sees it: the package's name, and what its checks print.
 * Undefined if it is empty, or speaks of the tools.
 */
export function readable(line: string): string | undefined {
  const [, where, printed = line] = /^(\S+:\S+): (.*)$/.exec(line) ?? [];
  const plain = stripVTControlCharacters(printed);
  if (plain.trim() === '' || OF_THE_TOOLS.some((pattern) => pattern.test(plain))) return undefined;
  return where === undefined ? line : `${shortName(where).padEnd(18)} ${printed}`;
}

/** `@causeway/api:test` is `api`, `//:lint` is `lint`. */
function shortName(where: string): string {
  const [name = '', task = ''] = stripVTControlCharacters(where).split(':');
  if (name === '//') return task;
  const packageName = name.replace('@causeway/', '');
  return task === 'test' ? packageName : `${packageName} ${task}`;
}
