import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { revoke } from '../graphql/api-keys.ts';
import { openSocket, requestHead } from '../operations/raw-sockets.ts';
import { startTestService, type TestService } from '../support/test-service.ts';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

/** Longer than the service goes by what it knew when the head came. */
const LATE_MS = 6_000;
const SPACES = 100;

test.concurrent.each(['/v1/data-import/account-import-process/create-or-update/', '/trpc/dataImport.stageAccount'])(
  '5.4 a key that is revoked while the body of a request arrives has no effect: %s',
  async (path) => {
    const supplier = await service.createSupplier();
    const body = JSON.stringify(supplier.account());
    const socket = await openSocket(service.url);
    const headers = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body) + SPACES) };
    socket.write(requestHead(`POST ${path}`, { Authorization: `Token ${supplier.token}`, ...headers }) + body);
    const { prisma } = service.database;
    const key = await prisma.apiKey.findFirstOrThrow({ where: { organisation_id: supplier.organisationId } });
    await revoke(service.database, key.id);
    // A client on a slow line: white space, now and then.
    for (let sent = 0; sent < SPACES; sent += 1) {
      socket.write(' ');
      await delay(LATE_MS / SPACES);
    }
    expect(await socket.read(/\r\n\r\n.*\}$/s)).toMatch(/^HTTP\/1\.1 401 /);
    expect(await prisma.accountImport.count({ where: { import_supplier_code: supplier.code } })).toBe(0);
    socket.destroy();
  },
);
