import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDemoRunner, type DemoRunner, outputOf } from '../support/demo-runner.ts';

const ACCOUNTS = 12;
const REFUSED = 3;

let runner: DemoRunner;
let first: string;
let second: string;

beforeAll(async () => {
  runner = await createDemoRunner(ACCOUNTS);
  first = await runToTheEnd();
  second = await runToTheEnd();
});
afterAll(() => runner.close());

async function runToTheEnd(): Promise<string> {
  const demo = runner.start({}, '--bulk', '--exit');
  const output = await outputOf(demo);
  expect(output).toContain('✓ It adds up');
  expect(demo.exitCode).toBe(0);
  return output;
}

/** The cells of the row with this label. */
function cellsOf(output: string, label: string): string[] {
  const row = output.split('\n').find((line) => line.trim().startsWith(`${label}  `)) ?? '';
  return row.trim().slice(label.length).trim().split(/\s+/);
}

describe('the demo with --bulk, as it is run', () => {
  it('18.9 moves the book by one upload, and compares each outcome and every sum', () => {
    expect(first).toContain(`Uploaded ${ACCOUNTS} lines in 1 part`);
    expect(first).toMatch(/12 of 12 accounts, [\d.]+ s, \d+ a second\n/);
    expect(cellsOf(first, 'Accounts')).toEqual(['12', `${REFUSED}`, '0', '0', `${ACCOUNTS - REFUSED}`]);
    for (const label of ['Notes', 'Transactions', 'SUPPLY_CHARGE', 'PAYMENT', 'Historical statements']) {
      const [sent, stored, equal] = cellsOf(first, label);
      expect([label, stored, equal]).toEqual([label, sent, '=']);
      expect(sent).not.toBe('0');
    }
  });

  it('18.9 shows why lines were refused, and which', () => {
    expect(first).toContain('invalid_phone_number, customers.*.landline');
    expect(first).toContain('line 4  account_failed_validation: customers.0.landline invalid_phone_number');
    expect(first).toContain('line 6  account_import_process_skipped');
  });

  it('18.9 changes nothing when it is run again', () => {
    expect(cellsOf(second, 'Accounts')).toEqual(['12', `${REFUSED}`, '0', `${ACCOUNTS - REFUSED}`, '0']);
    expect(cellsOf(second, 'Transactions')).toEqual(['0', '0', '=']);
  });

  it('18.10 compares with the manifest of the book, each time', () => {
    for (const output of [first, second]) {
      expect(output).toContain('compared with what is stored: DIFFERENT\n');
      expect(output).toContain('transfer_balance: 36.11 in the manifest, 36.10 stored');
      expect(output).toContain('✓ Only what was refused differs, and what was planted');
    }
  });

  it('18.9 fits a screen, without the log', () => {
    expect(first.split('\n').length).toBeLessThan(56);
    expect(first).not.toContain('{"level"');
  });
});
