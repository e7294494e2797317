import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { causeway, failure } from './support/causeway.ts';
import { convert } from './support/convert.ts';
import { listen } from './support/listen.ts';

const ESCAPE = String.fromCharCode(27);
/** Sets the title of the terminal, clears it, and writes what looks like a result; then the same in one byte. */
const SEQUENCE = `${ESCAPE}]0;title${String.fromCharCode(7)}${ESCAPE}[2J${ESCAPE}[32mAll done.${String.fromCharCode(0x9b)}1A`;
const SHOWN = '\uFFFD]0;title\uFFFD\uFFFD[2J\uFFFD[32mAll done.\uFFFD1A';
// biome-ignore lint/suspicious/noControlCharactersInRegex: that none exists is what is tested.
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;

/** Something that answers like a service, in words of its own. */
async function startForeign(answer: (path: string) => { status: number; body: unknown }): Promise<string> {
  const data = { obtainToken: { token: 'a.b.c', payload: { iat: 0, exp: 3600 }, refreshToken: 'cw_refresh_foreign' } };
  const server = createServer((asked, response) => {
    const isToken = asked.url === '/v1/graphql/';
    const { status, body } = isToken ? { status: 200, body: { data } } : answer(asked.url ?? '');
    response.writeHead(status, { 'content-type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
  });
  return `http://127.0.0.1:${await listen(server)}`;
}

describe('what others wrote', () => {
  it('25.1.9 in an answer moves no cursor: in a result, and in a failure', async () => {
    const url = await startForeign((path) => {
      if (path.includes('/LISTED/')) return { status: 200, body: { external_account_number: `HV-1${SEQUENCE}` } };
      const problem = { operation: 'stage', code: `code${SEQUENCE}`, attr: `attr${SEQUENCE}`, accounts: 1 };
      const body = [{ ...problem, sample_account_numbers: [`HV-1${SEQUENCE}`], refused: true }];
      if (path.includes('/GOOD/')) return { status: 200, body };
      const errors = [{ code: 'invalid', detail: `never${SEQUENCE}`, attr: `attr${SEQUENCE}` }];
      const refusal = { code: 'account_failed_validation', detail: `no${SEQUENCE}`, documentation_url: '/docs' };
      return { status: 400, body: { ...refusal, errors } };
    });
    const variables = { CAUSEWAY_URL: url, CAUSEWAY_API_KEY: 'cw_foreign' };
    const running = { variables, columns: 100 };
    const listed = await causeway(['list', '--supplier', 'LISTED'], running);
    expect(listed.stdout).toContain(`HV-1${SHOWN}`);
    expect(listed.stdout).not.toMatch(CONTROL);
    const shown = await causeway(['problems', '--supplier', 'GOOD'], running);
    for (const part of ['code', 'attr', 'HV-1']) expect(shown.stdout).toContain(`${part}${SHOWN}`);
    expect(shown.stdout).not.toMatch(CONTROL);
    const failed = await causeway(['problems', '--supplier', 'BAD'], running);
    expect(failed).toMatchObject({ code: 2, stdout: '' });
    for (const part of ['no', 'never', 'attr']) expect(failed.stderr).toContain(`${part}${SHOWN}`);
    expect(failed.stderr).not.toMatch(CONTROL);
  });

  it('25.1.9 in the header of a file, in its name or in a word of the command line moves no cursor', async () => {
    const header = await convert({ accounts: `external_account_number,import_supplier,x${SEQUENCE}\nHV-1,A,1\n` });
    expect(header).toMatchObject(failure(2, `x${SHOWN}`));
    expect(header.stderr).not.toMatch(CONTROL);
    for (const words of [['validate', `book${SEQUENCE}`], [`word${SEQUENCE}`]]) {
      const failed = await causeway(words);
      expect(failed).toMatchObject(failure(2, SHOWN));
      expect(failed.stderr).not.toMatch(CONTROL);
    }
  });
});
