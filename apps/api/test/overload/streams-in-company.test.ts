import { request } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { openSocket, requestHead } from '../operations/raw-sockets.ts';
import { startTestService, until } from '../support/test-service.ts';

let isOver = false;

/** Larger than all buffers between the service and a client that does not read. */
const NOTES = 300;
const NOTE_CHARACTERS = 60_000;

const service = await startTestService();
const other = await service.createSupplier();
const supplier = await service.createSupplier();
const account = await supplier.importAccount();
await service.database.pool.query(
  `INSERT INTO notes (account_import_id, body, document_paths, created_at, is_pinned)
  SELECT $1, repeat('x', $2), '{}', now(), false FROM generate_series(1, $3)`,
  [account.id, NOTE_CHARACTERS, NOTES],
);
const path = `accounts/${supplier.code}/${account.externalAccountNumber}/notes/`;
// In company a party has one heavy turn at a time: the other organisation asks until the end.
const company = until(async () => {
  await other.get(`all-account-import-processes/${other.code}/?limit=1`);
  return isOver;
});
afterAll(async () => {
  isOver = true;
  await company;
  await service.stop();
});

/** How many bytes of the list came, and whether it ended as it should. */
function readList(): Promise<{ bytes: number; complete: boolean }> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Token ${supplier.token}` };
    const call = request(`${service.url}/v1/data-import/${path}`, { headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Uint8Array) => {
        bytes += chunk.length;
      });
      response.on('error', () => undefined);
      response.on('close', () => resolve({ bytes, complete: response.complete }));
    });
    call.once('error', reject).end();
  });
}

/** A body that takes a heavy turn. */
const postLargeBody = () => supplier.post('validate-account/', { ...supplier.account(), junk: 'x'.repeat(100_000) });

/** A client that asks for the list and reads none of it, from when the service waits for it. */
async function stopReading() {
  const socket = await openSocket(service.url, { reads: false });
  socket.write(requestHead(`GET /v1/data-import/${path}`, { Authorization: supplier.token }));
  await until(async () => (await unreadBytes()) > 0);
  return socket;
}

async function unreadBytes(): Promise<number> {
  const text = await (await fetch(`${service.url}/metrics`)).text();
  return Number(/^causeway_unread_answer_bytes (.*)$/m.exec(text)?.[1]);
}

test('4.12.6 17.4.1 lists of large pages that are read at once do not wait for each other: all come whole', async () => {
  const lists = await Promise.all([readList(), readList(), readList()]);
  expect(lists.map(({ complete }) => complete)).toEqual([true, true, true]);
  expect(lists[0]?.bytes).toBeGreaterThan(NOTES * NOTE_CHARACTERS);
  expect(new Set(lists.map(({ bytes }) => bytes)).size).toBe(1);
});

test('4.12.6 a client that stops reading a list keeps no turn from the large bodies of its organisation', async () => {
  const socket = await stopReading();
  expect(await postLargeBody()).toMatchObject({ status: 200 });
  socket.destroy();
  await until(async () => (await unreadBytes()) === 0);
});

test('4.12.5 a list that is cut off by a failure keeps no turn either', async () => {
  const socket = await stopReading();
  await service.database.pool.query('ALTER TABLE notes RENAME TO unreadable');
  socket.resume();
  await socket.closed();
  await service.database.pool.query('ALTER TABLE unreadable RENAME TO notes');
  expect(await postLargeBody()).toMatchObject({ status: 200 });
});
