import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { placesOf } from '../src/completion/completion.ts';
import { manual } from '../src/manual/manual.ts';
import { createProgram } from '../src/program.ts';
import { causeway, temporaryFolder } from './support/causeway.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

function everyPlace() {
  const silent = { write: () => true };
  return placesOf(createProgram({ stdout: silent, stderr: silent }, async () => {}));
}

describe('the help', () => {
  it('25.9.4 lists commands in groups, the exit codes and the variables', async () => {
    const { code, stdout } = await causeway(['--help']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/\nThe login:\n {2}login +keep an API key/);
    expect(stdout).toMatch(/\nExit codes:\n {4}0 {2}all done/);
    expect(stdout).toMatch(/\nVariables:\n {2}CAUSEWAY_URL /);
  });

  it('25.9.4 has no line of more than 100 columns, but for examples, in no command', async () => {
    for (const { path: words } of everyPlace()) {
      const { code, stdout } = await causeway([...words, '--help'], { columns: 200 });
      expect(code, words.join(' ')).toBe(0);
      expect(stdout.split('\n').filter((line) => line.length > 100 && !/^ {2}(causeway|#) /.test(line))).toEqual([]);
    }
  });

  it('25.9.4 shows how a command is used, however many words name it', async () => {
    const { code, stdout } = await causeway(['help', 'admin', 'keys', 'issue']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage: causeway admin keys issue /)]);
    expect(await causeway(['help', 'login'])).toMatchObject({ stdout: expect.stringContaining('\nExamples:\n  # ') });
    const unknown = await causeway(['help', 'keys', 'issue']);
    expect(unknown).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining("'keys issue'") });
  });

  it('25.9.6 docs/cli.md is current: pnpm document writes it', async () => {
    expect(await readFile(path.join(REPOSITORY, 'docs/cli.md'), 'utf8')).toBe(manual());
  });
});

describe('the completion', () => {
  /** What Tab offers in bash behind these words. */
  async function offered(...words: string[]): Promise<string[]> {
    const { stdout: script } = await causeway(['completion', 'bash']);
    const line = ['causeway', ...words];
    const pressed = `${script}COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _causeway; echo "\${COMPREPLY[@]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', pressed, 'bash', ...line]);
    return stdout.trim().split(' ');
  }

  it('25.9.5 completes commands, flags and values in bash, and leaves files to it', async () => {
    expect(await offered('wh')).toEqual(['whoami']);
    expect(await offered('admin', 'keys', '')).toEqual(expect.arrayContaining(['issue', 'revoke']));
    expect(await offered('login', '--api')).toEqual(['--api-key-file']);
    expect(await offered('completion', '')).toEqual(['bash', 'zsh', 'fish']);
    expect(await offered('login', '--api-key-file', '')).toEqual(['']);
  });

  it('25.9.5 has a script for zsh and for fish', async () => {
    expect((await causeway(['completion', 'zsh'])).stdout).toMatch(/^#compdef causeway\n[\s\S]*\n_causeway\(\) \{\n/);
    const { stdout } = await causeway(['completion', 'fish']);
    expect(stdout).toContain("complete -c causeway -f -n '__fish_use_subcommand' -a login -d 'keep an API key");
    expect(stdout).toContain("complete -c causeway -n '__fish_seen_subcommand_from login' -l url -r -d ");
    expect(await causeway(['completion', 'tcsh'])).toMatchObject({ code: 2 });
  });
});

it('25.9.3 what installing prints is not on stdout, where only the command writes', async () => {
  const folder = await temporaryFolder();
  const settings = await readFile(path.join(REPOSITORY, 'pnpm-workspace.yaml'), 'utf8');
  // A patch of a package that is not installed is an error.
  await writeFile(path.join(folder, 'pnpm-workspace.yaml'), settings.replace(/^patchedDependencies:[\s\S]*/m, ''));
  const scripts = { causeway: 'pnpm install && node --print 1' };
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ scripts }));
  const { stdout } = await promisify(execFile)('pnpm', ['causeway'], { cwd: folder });
  expect(stdout).toBe('1\n');
});

it('25.9.3 a path is relative to the folder in which pnpm was called', async () => {
  const folder = await temporaryFolder();
  await writeFile(path.join(folder, 'key.txt'), 'cw_supplier_any\n');
  const env = { HOME: folder, npm_lifecycle_event: 'causeway', INIT_CWD: folder };
  const words = [
    'apps/cli/src/main.ts',
    'whoami',
    '--url',
    'http://127.0.0.1:9',
    '--api-key-file',
    'key.txt',
    '--patience',
    '0s',
  ];
  const ended = promisify(execFile)(process.execPath, words, { cwd: REPOSITORY, env });
  await expect(ended).rejects.toMatchObject({ code: 6 });
});
