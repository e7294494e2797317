import path from 'node:path';
import { keepSecret, makeDataDirectory } from '@causeway/embedded-postgres';

/** Quiet, so that the log does not run through what the demo shows; LOG_LEVEL=info shows it. */
const DEFAULTS = {
  PAYMENT_VENDORS: 'SANDBOX',
  LOG_LEVEL: 'fatal',
  DATA_DIR: path.resolve(import.meta.dirname, '../../../.causeway'),
};

export interface DemoEnvironment {
  /** What the service is started with. */
  variables: Record<string, string | undefined>;
  staffApiKey: string;
  /** Where the staff key is kept; absent: the user has set STAFF_API_KEY. */
  staffKeyFile?: string;
  dataDirectory: string;
  /** Where the service keeps its data, for people. */
  storage: string;
  /** What to do to begin again with none, for people. */
  beginAgain: string;
}

/**
 * The process's variables with the demo's defaults (behaviour 18). Its staff key is generated at the first run and kept
 * in the data directory, so that later runs may enter again: the service itself keeps nothing but a digest.
 */
export async function demoEnvironment(given: Record<string, string | undefined>): Promise<DemoEnvironment> {
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
  const variables: Record<string, string | undefined> & typeof DEFAULTS = { ...DEFAULTS, ...set };
  const dataDirectory = path.resolve(variables.DATA_DIR);
  const storage = variables.DATABASE_URL ? 'the database of DATABASE_URL' : `data in ${dataDirectory}`;
  const beginAgain = variables.DATABASE_URL ? 'set DATABASE_URL to an empty database' : `remove ${dataDirectory}`;
  const described = { dataDirectory, storage, beginAgain };
  await makeDataDirectory(dataDirectory);
  if (variables.STAFF_API_KEY) return { variables, staffApiKey: variables.STAFF_API_KEY, ...described };

  const staffKeyFile = path.join(dataDirectory, 'demo-staff-api-key');
  const staffApiKey = await keepSecret(staffKeyFile);
  return { variables: { ...variables, STAFF_API_KEY: staffApiKey }, staffApiKey, staffKeyFile, ...described };
}
