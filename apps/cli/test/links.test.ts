import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineOf, writeBook } from './support/book-of.ts';
import { causeway, failure, temporaryFolder } from './support/causeway.ts';
import { createSupplier } from './support/supplier.ts';

const MINE = 'a file of somebody else\n';

/** A folder with a file of somebody else, to which `name` leads. */
async function folderWithLink(name: string) {
  const directory = await temporaryFolder();
  const [other, link] = [path.join(directory, 'other'), path.join(directory, name)];
  await mkdir(path.dirname(link), { recursive: true });
  await writeFile(other, MINE);
  await symlink(other, link);
  return { directory, link, other: () => readFile(other, 'utf8') };
}

// Windows lets few users make links.
describe.skipIf(process.platform === 'win32')('a symbolic link in the place of a file of the command', () => {
  it.each(['results.ndjson', 'failed.ndjson', 'checkpoint.json.new'])(
    '25.1.11 is refused by move, and not written through: %s',
    async (name) => {
      const { code, team, variables } = await createSupplier();
      const { directory, link, other } = await folderWithLink(`book.ndjson.causeway/${name}`);
      const book = await writeBook(directory, [lineOf(code, 'L-1')]);
      const ended = await causeway(['move', book, '--supplier', code, '--team', team], { directory, variables });
      expect(await other()).toBe(MINE);
      expect(ended).toMatchObject(failure(2, `${link} is a symbolic link`));
    },
  );

  it.each([
    ['validate', 'report/results.ndjson.unfinished', ['validate', 'book.ndjson', '--report', 'report']],
    ['validate', 'report/failed.ndjson.unfinished', ['validate', 'book.ndjson', '--report', 'report']],
    ['validate', 'report/summary.json.unfinished', ['validate', 'book.ndjson', '--report', 'report']],
    ['sample', 'sample.ndjson.unfinished', ['sample', '-o', 'sample.ndjson', '--accounts', '1']],
    ['sample', 'csv/accounts.csv', ['sample', '--csv', 'csv', '--accounts', '1', '--yes']],
    ['manifest build', 'lines.ndjson.part', ['manifest', 'build', 'book.ndjson', '-o', 'lines.ndjson']],
  ])('25.1.11 is refused by %s, and not written through: %s', async (_, name, words) => {
    const { code, variables } = await createSupplier();
    const { directory, link, other } = await folderWithLink(name);
    await writeBook(directory, [lineOf(code, 'L-1')]);
    const ended = await causeway([...words, '--supplier', code], { directory, variables });
    expect(await other()).toBe(MINE);
    expect(ended).toMatchObject(failure(2, `${link} is a symbolic link`));
  });
});
