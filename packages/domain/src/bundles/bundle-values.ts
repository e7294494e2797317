import type { Bundle } from './prepare-bundle.ts';

/** What a call of `CREATE_BUNDLES` has besides the values of `PROCESS_ACCOUNTS`. */
export function bundleValues({ events, ...rows }: Bundle, service_account_number: string) {
  const processed = { action: 'processed', detail: { service_account_number } };
  return { ...rows, events: [processed, ...events] };
}
