import path from 'node:path';
import { keepSecret, makeDataDirectory } from '@causeway/embedded-postgres';

/**
 * The demo's own staff key: generated at its first run and kept in the data directory, so that later runs may enter
 * again (the service itself keeps nothing but a digest).
 */
export async function keepStaffKey(dataDirectory: string): Promise<{ key: string; file: string }> {
  await makeDataDirectory(dataDirectory);
  const file = path.join(dataDirectory, 'demo-staff-api-key');
  return { key: await keepSecret(file), file };
}
