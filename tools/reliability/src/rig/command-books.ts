import { readFile, writeFile } from 'node:fs/promises';
import { type Claim, exactly, none } from '../scenario.ts';
import { readEffects, timesCounted } from './effects.ts';
import { bookLine } from './move-books.ts';
import { ADDED, knownInstruction, OPERATIONS } from './operations.ts';
import type { Supplier, World } from './start-world.ts';

/** A book in a file, for a command. */
export interface CommandBook {
  /** Of its good lines. */
  accounts: string[];
  /** The numbers of all its lines, and of those that have to be refused. */
  lines: number[];
  bad: number[];
}

const BAD_EVERY = 25;
const INSTRUCTION_EVERY = 20;

/** Writes a book of so many lines. `blanks` stand behind each: they count as lines of the file. */
export async function writeBook(
  { world, supplier }: { world: World; supplier: Supplier },
  file: string,
  { prefix, lines, blanks = 0 }: { prefix: string; lines: number; blanks?: number },
): Promise<CommandBook> {
  const book: CommandBook = { accounts: [], lines: [], bad: [] };
  const texts = Array.from({ length: lines }, (_, index) => {
    const account = `${prefix}-${index + 1}`;
    const line = bookLine(supplier, account, hasInstruction(account));
    const number = index * (blanks + 1) + 1;
    book.lines.push(number);
    if ((index + 1) % BAD_EVERY === 0) {
      book.bad.push(number);
      return JSON.stringify({ ...line, control: { transactions: 3 } });
    }
    world.vendor.behaveFor(`pm_${account}`, knownInstruction(`pm_${account}`));
    book.accounts.push(account);
    return JSON.stringify(line);
  });
  await writeFile(file, texts.map((text) => `${text}\n${'\n'.repeat(blanks)}`).join(''));
  return book;
}

const hasInstruction = (account: string) => Number(account.split('-').at(-1)) % INSTRUCTION_EVERY === 0;

/** What the transactions of the good lines add up to. */
export const sumOf = ({ accounts }: CommandBook): string => (accounts.length * Number(ADDED.sum)).toFixed(2);

/** Compares the good lines of books with the database. */
export async function judgeAccounts(
  { world, supplier }: { world: World; supplier: Supplier },
  books: readonly CommandBook[],
): Promise<{ lost: number; doubled: number; claims: Claim[] }> {
  const effects = new Map((await readEffects(world, supplier)).map((each) => [each.account, each]));
  const accounts = books.flatMap((book) => book.accounts);
  const times = accounts.flatMap((account) =>
    OPERATIONS.filter((name) => name !== 'instruction' || hasInstruction(account)).map((name) => ({
      ...{ account, name },
      counted: timesCounted(effects.get(account), name),
    })),
  );
  const lost = times.filter(({ counted }) => counted === 0);
  const doubled = times.filter(({ counted }) => counted !== 0 && counted !== 1);
  return {
    ...{ lost: lost.length, doubled: doubled.length },
    claims: [
      none('operations of good lines that are not in the database', lost),
      none('operations of good lines that took effect twice or in part', doubled),
      exactly('accounts in the database', effects.size, accounts.length),
    ],
  };
}

/** The lines of a file of results or of failed rows, by their numbers. */
export async function readNumbers(file: string): Promise<number[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line).line);
}

/** In the order of the book; what stands there twice stays twice. */
export const inOrder = (numbers: readonly number[]): string => numbers.toSorted((one, other) => one - other).join(' ');
