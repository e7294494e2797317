import type { Outcome } from './outcome.ts';
import type { Screen } from './screen.ts';
import { DEMO } from './set-up-supplier.ts';

/** Where to look, and what to paste into a shell: with a token and an account number that work. */
export function hintLines(
  { url, token, outcomes }: { url: string; token: string; outcomes: readonly Outcome[] },
  screen: Screen,
): string[] {
  const account =
    outcomes.find(({ serviceAccountNumber }) => serviceAccountNumber)?.account.externalAccountNumber ?? '';
  const base = `${url}/v1/data-import`;
  const address = { import_supplier: DEMO.importSupplier, external_account_number: account };
  const note = { ...address, notes: [{ body: 'Hello from curl. Send me twice.' }] };
  const stranger = { ...address, external_account_number: 'HV-1', customers: [{ landline: '0113 496 01234' }] };
  return [
    '',
    `  ${screen.paint('bold', 'Look at')}  ${url}/docs     ${url}/openapi.json`,
    `           ${url}/metrics  ${url}/healthz`,
    `  ${screen.paint('bold', 'Try')}      (the token is good for an hour)`,
    `TOKEN=${token}`,
    `curl -H "Authorization: Token $TOKEN" ${base}/account-transfer-status/${DEMO.importSupplier}/${account}/`,
    `curl -H "Authorization: Token $TOKEN" '${base}/imported-account-import-processes/${DEMO.importSupplier}/?limit=3'`,
    curlOf(`${base}/notes/create/`, note),
    curlOf(`${base}/validate-account/`, stranger),
  ];
}

function curlOf(address: string, body: object): string {
  const json = `-H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;
  return `curl -H "Authorization: Token $TOKEN" ${json} ${address}`;
}
