import { createClient } from '@causeway/client';
import { watchMigration } from './watch-migration.ts';

// node src/main.ts, with CAUSEWAY_URL (http://127.0.0.1:3000 by default) and STAFF_API_KEY set.
const { CAUSEWAY_URL: url = 'http://127.0.0.1:3000', STAFF_API_KEY: apiKey } = process.env;
if (apiKey === undefined) {
  throw new Error('Set STAFF_API_KEY to a key of the service team.');
}
const lines = await watchMigration(createClient({ url, apiKey }), `EXAMPLE-${Date.now()}`);
process.stdout.write(`${lines.join('\n')}\n`);
