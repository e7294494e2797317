import type { Screen } from './screen.ts';
import { DEMO } from './set-up-supplier.ts';

/** What the lines are made of. */
export interface Hints {
  url: string;
  /** The supplier's, issued for this run. */
  apiKey: string;
  importSupplier: string;
  /** Absent: the user has set STAFF_API_KEY. */
  staffKeyFile?: string | undefined;
  /** For the service team's login to the console, until ten minutes after its first use. */
  refreshToken: string;
  /** An account that there is, and the one with most to see. */
  examples: readonly [string, string];
  /** Where the book and the command line's files are. */
  folder: string;
  /** Where the e-mails to customers are. */
  mailboxUrl: string;
}

const JSON_TYPE = `-H 'Content-Type: application/json'`;
const AUTHORIZED = `-w '\\n' -H "Authorization: Token $TOKEN"`;

/** What a visitor needs: keys and names, where to look, and what to paste into a shell as it stands. */
export function hintLines(hints: Hints, screen: Screen): string[] {
  const { url, apiKey, importSupplier, staffKeyFile, refreshToken, examples, folder } = hints;
  const title = (text: string, rest = '') => `  ${screen.paint('bold', text)}${rest}`;
  return [
    '',
    title('Yours to use', ' until the next run of the demo, which issues a new key and revokes this one'),
    `    supplier's API key   ${apiKey}`,
    `    import supplier      ${importSupplier}`,
    `    operations team      ${DEMO.team}`,
    `    staff API key        ${staffKeyFile ? `in ${staffKeyFile}` : 'the STAFF_API_KEY that you set'}`,
    `    the book             in ${folder}, with its manifest, results and differences`,
    '',
    title('Open the console', ' of the service team; this link logs in until 10 minutes after its first use'),
    `    ${url}/console/#refresh=${refreshToken}`,
    '',
    title('Look at'),
    `    ${url}/docs           every path, field, rule and error code`,
    `    ${url}/openapi.json   the same for programs`,
    `    ${url}/healthz        also /readyz and /metrics`,
    `    ${hints.mailboxUrl.padEnd(url.length + 14)} the e-mails that customers got; none has left this machine`,
    '',
    title('The command line', ' is one file; causeway --help'),
    ...commandLines(url, apiKey),
    '',
    title('Try', ' in another terminal; the token is valid for an hour'),
    ...curlLines(url, { apiKey, importSupplier, examples }),
  ];
}

function commandLines(url: string, apiKey: string): string[] {
  return [
    `curl -sfO ${url}/cli/causeway.mjs`,
    `export CAUSEWAY_URL=${url} CAUSEWAY_API_KEY=${apiKey}`,
    'causeway() { node causeway.mjs "$@"; }',
    'causeway whoami',
  ];
}

/** No longer than 100 columns each, while the address is a local one. */
function curlLines(
  url: string,
  { apiKey, importSupplier, examples: [account, whole] }: Pick<Hints, 'apiKey' | 'importSupplier' | 'examples'>,
): string[] {
  const base = `${url}/v1/data-import`;
  return [
    `TOKEN=$(curl -s ${url}/v1/graphql/ ${JSON_TYPE} -d '{"query":`,
    '  "mutation ($key: String!) { obtainToken(input: {APIKey: $key}) { token } }",',
    `  "variables": {"key": "${apiKey}"}}' |`,
    `  cut -d '"' -f 8)`,
    `curl ${AUTHORIZED} \\`,
    `  ${base}/account-transfer-status/${importSupplier}/${account}/`,
    `curl ${AUTHORIZED} \\`,
    `  ${base}/accounts/${importSupplier}/${whole}/`,
    `curl ${AUTHORIZED} \\`,
    `  '${base}/imported-account-import-processes/${importSupplier}/?limit=3'`,
    `curl ${AUTHORIZED} ${JSON_TYPE} \\`,
    `  ${base}/notes/create/ \\`,
    `  -d '{"import_supplier": "${importSupplier}", "external_account_number": "${account}",`,
    `       "notes": [{"body": "Hello from curl. Send me twice."}]}'`,
    `curl ${AUTHORIZED} ${JSON_TYPE} \\`,
    `  ${base}/validate-account/ \\`,
    `  -d '{"import_supplier": "${importSupplier}", "external_account_number": "HV-1",`,
    `       "customers": [{"landline": "0113 496 01234"}]}'`,
  ];
}
