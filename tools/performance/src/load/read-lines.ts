import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { type BookSettings, readBookLine } from '@causeway/book';
import { IMPORT_SUPPLIER } from '../world/seed.ts';

// node read-lines.ts BOOK LINES TODAY: reads the first lines of a book in one thread, twice, and prints what the second
// time took. The first one is for V8, which compiles what is used often.

const [file = '', count, today = ''] = process.argv.slice(2);
const settings: BookSettings = {
  importSupplier: {
    ...{ code: IMPORT_SUPPLIER, country: 'GB', undocumented_fields: 'REPORT', empty_means_omitted: false },
    ...{ statement_amount_unit: 'MAJOR', account_types: [], balance_check: 'REPORT' },
  },
  today,
  maxLineBytes: 10_485_760,
  paymentVendors: { has: () => true },
  importOptions: { check_previously_added: true, force_add_to_current_statement: false },
};

const lines: Buffer[] = [];
for await (const line of createInterface({ input: createReadStream(file) })) {
  lines.push(Buffer.from(line));
  if (lines.length === Number(count)) break;
}
readAll();
const startedAt = performance.now();
const before = process.cpuUsage();
readAll();
const { user, system } = process.cpuUsage(before);
const seconds = (performance.now() - startedAt) / 1_000;
process.stdout.write(JSON.stringify({ seconds, cpu: (user + system) / 1e6 }));

function readAll(): void {
  for (const line of lines) {
    if ('refusal' in readBookLine(line, settings)) throw new Error('A line was refused');
  }
}
