import { type Environment, readEnvironment } from '../../api/src/env.ts';
import { keepStaffKey } from './keep-staff-key.ts';

/** Quiet, so that the log does not run through the progress bar; LOG_LEVEL=info shows it. */
const DEFAULTS = { PAYMENT_VENDORS: 'SANDBOX', LOG_LEVEL: 'fatal' };

/** The service's environment with the demo's defaults (design 6), and with a staff key that the demo knows. */
export async function demoEnvironment(
  variables: Record<string, string | undefined>,
): Promise<Environment & { staffApiKey: string }> {
  const set = Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));
  const environment = readEnvironment({ ...DEFAULTS, ...set });
  return { ...environment, staffApiKey: environment.staffApiKey ?? (await keepStaffKey(environment.dataDirectory)) };
}
