const SECRETS = new Set([
  'STAFF_API_KEY',
  'TOKEN_SECRET',
  'OTHER_TOKEN_SECRET',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'EMAIL_DKIM',
]);
const AFTER_THE_SCHEME = /^[^:]*:\/\/(?:[^/?#]*@)?([^?#]*)/;

/** Settings as the log shows them: of a database its host, port and name; of a secret, that it is set. */
export function showSettings(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, showSetting(name, value)]));
}

function showSetting(name: string, value: unknown): unknown {
  if (value === undefined) return undefined;
  if (SECRETS.has(name)) return 'set';
  if (name === 'PAYMENT_VENDORS') return (value as { name: string; kind: string }[]).map(showVendor);
  return name.endsWith('_URL') ? showDatabase(String(value)) : value;
}

const showVendor = (vendor: { name: string; kind: string }) => `${vendor.name} (${vendor.kind})`;

/** `host:port/database`, without the role, its password and the parameters, which may name them too. */
export function showDatabase(url: string): string {
  const place = AFTER_THE_SCHEME.exec(url)?.[1] ?? '';
  // A password that is not escaped properly.
  return place.includes('@') ? 'set' : place;
}
