import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestService } from '../support/test-service.ts';
import type { TestSupplier } from '../support/test-supplier.ts';

const service = await startTestService();
afterAll(service.stop);

let supplier: TestSupplier;
let account: Awaited<ReturnType<TestSupplier['importAccount']>>;
beforeEach(async () => {
  supplier = await service.createSupplier();
  account = await supplier.importAccount();
});

function addCharge(transaction_id: string): string {
  const charge = {
    transaction_id,
    transaction_date: '2026-01-05',
    amount: 10,
    type: 'CHARGE',
    reason: 'IMPORTED_CHARGE',
  };
  const body = JSON.stringify({ ...account.reference, transactions: [charge] });
  const head = [
    'POST /v1/data-import/transactions/create/ HTTP/1.1',
    'Host: localhost',
    `Authorization: Token ${supplier.token}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** All that the service answers until it closes the connection. */
async function answersTo(sent: string): Promise<string[]> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.write(sent);
  const received = await text(socket);
  return received.match(/HTTP\/1\.1 \d{3}/g) ?? [];
}

const LONG_HEAD = `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`;
const BAD_CHUNKS =
  'POST /v1/graphql/ HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nno\r\n';

describe('a request that has come completely', () => {
  it.each([
    ['NUL', '\0'],
    ['a brace', '}'],
    ['a request whose head is too long', LONG_HEAD],
    ['a request with a bad header', 'GET /healthz HTTP/1.1\r\nBad Header\r\n\r\n'],
    ['a request with a bad body', BAD_CHUNKS],
  ])('10.4.4 gets its own answer, and the connection ends, where %s follows it', async (_name, behind) => {
    expect(await answersTo(addCharge('T-1') + behind)).toEqual(['HTTP/1.1 201']);
    expect(await service.database.prisma.transaction.count({ where: { account_import_id: account.id } })).toBe(1);
  });

  it('10.4.4 gets its own answer behind another one too', async () => {
    expect(await answersTo(`${addCharge('T-1')}${addCharge('T-2')}}`)).toEqual(['HTTP/1.1 201', 'HTTP/1.1 201']);
  });

  it('10.4.4 is refused where its own body cannot be read', async () => {
    expect(await answersTo(BAD_CHUNKS)).toEqual(['HTTP/1.1 400']);
  });
});
