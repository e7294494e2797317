import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { openDatabase, prepareDatabase } from '../src/index.ts';
import { rolesScript } from '../src/roles/roles-script.ts';

const SCRIPT = path.resolve(import.meta.dirname, '../../../deploy/create-roles.sql');
const hasPsql = ['/usr/bin/psql', '/usr/local/bin/psql'].some((file) => existsSync(file));

test('15.6.4 the script of the roles grants what is written down for each table', async () => {
  await expect(rolesScript()).toMatchFileSnapshot(SCRIPT);
});

test.skipIf(!hasPsql)(
  '15.6.4 after the script, and again after it, the owner migrates and the service can start without the owner',
  async () => {
    const { url: superUrl, prefix } = inject('testServer');
    const name = `${prefix}${randomBytes(4).toString('hex')}`;
    const urlOf = (role: string) => {
      const url = new URL(superUrl);
      Object.assign(url, { username: role, password: `pass'word`, pathname: name });
      return url.href;
    };
    const run = () =>
      promisify(execFile)('psql', [superUrl, '-X', '-v', `database=${name}`, '-f', SCRIPT], {
        env: { ...process.env, OWNER_PASSWORD: `pass'word`, SERVICE_PASSWORD: `pass'word` },
      });
    await run();
    const [url, ownerUrl] = [urlOf('causeway_service'), urlOf('causeway_owner')];
    await expect(prepareDatabase({ url })).rejects.toThrow(/permission denied .* DATABASE_OWNER_URL/s);
    expect(await prepareDatabase({ url: ownerUrl })).toMatchObject({ servesAsOwner: true });
    // The owner was not told of the service's role, which has the usual rights only.
    await expect(prepareDatabase({ url })).rejects.toThrow(/^The role causeway_service lacks rights .*DELETE/);
    await run();
    expect(await prepareDatabase({ url })).toMatchObject({ servesAsOwner: false });
    const { pool, close } = openDatabase({ url });
    await expect(pool.query('DELETE FROM audit_events')).rejects.toMatchObject({ code: '42501' });
    await close();
    const client = new pg.Client({ connectionString: superUrl });
    await client.connect();
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await client.end();
  },
);
