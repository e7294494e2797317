import { type Command, CommanderError } from 'commander';
import type { Context, Definition } from './frame/define-command.ts';
import { EXIT_CODES, Failure } from './frame/failure.ts';
import type { Flags } from './frame/flags.ts';
import { createOutput, type Output } from './frame/output.ts';
import type { Surroundings } from './frame/surroundings.ts';
import { createProgram } from './program.ts';

/**
 * Runs one command line, the words behind `causeway`. Never throws: what goes wrong is a sentence on stderr and, with
 * `--json`, an object on stdout (behaviour 25.1).
 *
 * @returns the exit code
 */
export async function run(words: readonly string[], surroundings: Surroundings): Promise<number> {
  let output: Output | undefined;
  let code: number = EXIT_CODES.done.code;

  async function act(command: Command, load: Definition['load']): Promise<void> {
    const flags = command.opts<Context['flags']>();
    output = createOutput(surroundings, flags);
    const action = await load();
    const input = { words: command.processedArgs, options: flags, program: rootOf(command) };
    const result = await action({ ...surroundings, flags, output }, input);
    if (output.form === 'json') await output.data(`${JSON.stringify(result.document, null, 2)}\n`);
    else if (output.form === 'json-lines') output.event('finished', result.document);
    else for (const line of result.lines ?? []) await output.line(line);
    code = EXIT_CODES[result.ending ?? 'done'].code;
  }

  try {
    await createProgram(surroundings, act).parseAsync(words, { from: 'user' });
    return code;
  } catch (error) {
    // Commander has written its sentence, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_CODES.usage.code;
    return sayFailure(asFailure(error, surroundings), output ?? createOutput(surroundings, wordsAsFlags(words)));
  }
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}

/** An error that nobody has turned into a sentence is one of ours: its stack helps anyone who fixes it. */
function asFailure(error: unknown, { stop, variables }: Surroundings): Failure {
  if (error instanceof Failure) return error;
  if (stop.aborted) return new Failure('interrupted', 'Interrupted.');
  const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
  const lines = variables.CAUSEWAY_DEBUG
    ? stack.split('\n').slice(1)
    : ['  Run it again with CAUSEWAY_DEBUG=1 to see where.'];
  return new Failure('unexpected', `Unexpected: ${message}`, { lines, cause: error });
}

function sayFailure({ ending, message, code, lines }: Failure, output: Output): number {
  const exitCode = EXIT_CODES[ending].code;
  const error = { detail: message, ...(code !== undefined && { code }), exit_code: exitCode };
  if (output.form === 'json') void output.data(`${JSON.stringify({ error }, null, 2)}\n`);
  output.event('failed', error);
  output.fail(message, lines);
  return exitCode;
}

/** For an error before any command has read its flags. */
function wordsAsFlags(words: readonly string[]): Flags {
  const has = (flag: string) => words.includes(flag);
  return { json: has('--json'), jsonLines: has('--json-lines'), color: !has('--no-color') };
}
