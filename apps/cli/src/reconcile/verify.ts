import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ManifestRecord, Reconciliation, ReconciliationDifference, SignOff } from '@causeway/contracts';
import { boundedText } from '@causeway/rest-client';
import { parse } from 'csv-parse';
import { compactVerify, createLocalJWKSet, errors, type JSONWebKeySet } from 'jose';
import { unreadable } from '../book-files/book.ts';
import { openBook } from '../book-files/open-book.ts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { cutParts, ManifestDigest, type ManifestFile, readRows } from '../manifest/manifest-file.ts';
import { findAddress } from '../session/find-credentials.ts';
import { failureOfCall } from '../session/open-service.ts';
import { counted } from '../terminal/numbers.ts';
import { verdictLines } from './verdict-lines.ts';

interface Verifying {
  words: [string];
  options: { jwks?: string; differences?: string; manifest?: string; encoding?: string };
}

/** Verifies a signed report, and that files are those of which it speaks (behaviour 25.7.5). */
export async function verify(context: Context, { words: [file], options }: Verifying): Promise<Result> {
  const jws = (await readText(context, file)).trim();
  const keys = await readKeys(context, options.jwks);
  const { report, kid } = await verified(jws, file, keys);
  const checked = [
    ...(await checkedFile(options.manifest, report.manifest.digest, (file) =>
      digestOfManifest(context, { file, encoding: options.encoding }),
    )),
    ...(await checkedFile(options.differences, report.differences.digest, (name) =>
      digestOfDifferences(context, name),
    )),
  ];
  const wrong = checked.filter(({ ok }) => !ok);
  if (wrong.length > 0) {
    throw new Failure('refused', 'The signature is right, but not every file is the one that was signed.', {
      lines: wrong.map(({ name }) => `  ${name} does not match the digest in the report.`),
    });
  }
  const files = checked.map(({ name }) => `✓ ${name} matches the digest in the report`);
  const lines = [`✓ ${file} is signed by key ${kid}, and not changed since`, ...files, '', ...reportLines(report)];
  return { document: { verified: true, kid, files: checked.map(({ name }) => name), report }, lines };
}

async function readText({ directory }: Context, file: string): Promise<string> {
  return readFile(path.resolve(directory, file), 'utf8').catch((error) => {
    throw unreadable(file, error);
  });
}

async function readKeys(context: Context, file: string | undefined): Promise<JSONWebKeySet> {
  const [text, from] = file === undefined ? await fetchKeys(context) : [await readText(context, file), file];
  try {
    const keys = JSON.parse(text) as JSONWebKeySet;
    createLocalJWKSet(keys);
    return keys;
  } catch (error) {
    throw new Failure('usage', `${from} is no set of keys, as /.well-known/jwks.json is.`, { cause: error });
  }
}

async function fetchKeys(context: Context): Promise<[string, string]> {
  const url = await findAddress(context);
  if (url === undefined) {
    throw new Failure('usage', 'Which keys? Say --jwks FILE, or where the service is: --url.');
  }
  const from = `${url}/.well-known/jwks.json`;
  const response = await fetch(from, { signal: context.stop }).catch((error: unknown) => {
    throw failureOfCall(error, url);
  });
  if (!response.ok) throw new Failure('outOfReach', `${from} answers ${response.status}.`);
  const text = await boundedText(response, from).catch((error: unknown) => {
    throw failureOfCall(error, url);
  });
  return [text, from];
}

async function verified(jws: string, file: string, keys: JSONWebKeySet): Promise<{ report: Report; kid: string }> {
  try {
    if (!isCanonical(jws)) throw new errors.JWSInvalid('A part of it is not in the one spelling of base64url.');
    const { payload, protectedHeader } = await compactVerify(jws, createLocalJWKSet(keys), { algorithms: ['EdDSA'] });
    const report = JSON.parse(new TextDecoder().decode(payload)) as Report;
    if (report.report === 'causeway-reconciliation') return { report, kid: protectedHeader.kid ?? '' };
  } catch (error) {
    const isOtherKey = error instanceof errors.JWKSNoMatchingKey;
    const why = isOtherKey ? 'it is signed with none of these keys' : 'it was changed, or is no signed report';
    throw new Failure('refused', `${file} does not verify: ${why}.`, { cause: error });
  }
  throw new Failure('refused', `${file} is signed, but is not a reconciliation report.`);
}

/** Base64 leaves bits unused at its end, and decoders skip blanks: each changed character is to show (behaviour 24.4.5). */
const isCanonical = (jws: string) =>
  jws.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

async function checkedFile(name: string | undefined, signed: string, digest: (name: string) => Promise<string>) {
  return name === undefined ? [] : [{ name, ok: (await digest(name)) === signed }];
}

async function digestOfManifest(context: Context, manifest: ManifestFile): Promise<string> {
  const digest = new ManifestDigest();
  for await (const part of cutParts(readRows(manifest, context))) digest.add(part);
  return digest.hex();
}

type Digested = Pick<ReconciliationDifference, 'external_account_number' | 'kind' | 'field' | 'expected' | 'actual'>;

/** The digest of a list of differences, NDJSON or CSV, as a report has it (behaviour 23.5.4). */
async function digestOfDifferences(context: Context, file: string): Promise<string> {
  const digest = createHash('sha256');
  const differences = file.endsWith('.csv') ? rowsOfCsv(context, file) : linesOf(context, file);
  for await (const { external_account_number, kind, field, expected, actual } of differences) {
    digest.update(`${JSON.stringify([external_account_number, kind, field, expected, actual])}\n`);
  }
  return digest.digest('hex');
}

async function* linesOf(context: Context, file: string): AsyncGenerator<Digested> {
  for await (const { lines } of (await openBook([file], context)).batches()) {
    for (const { number, bytes } of lines) {
      try {
        yield JSON.parse(bytes.toString());
      } catch (error) {
        throw new Failure('usage', `${file}, line ${number} is no JSON.`, { cause: error });
      }
    }
  }
}

/** An empty cell is what was null. */
async function* rowsOfCsv({ directory }: Context, file: string): AsyncGenerator<Digested> {
  const rows = createReadStream(path.resolve(directory, file)).compose(parse({ columns: true, bom: true }));
  try {
    for await (const row of rows as AsyncIterable<Record<keyof Digested, string>>) {
      yield { ...row, expected: row.expected || null, actual: row.actual || null } as Digested;
    }
  } catch (error) {
    throw unreadable(file, error as NodeJS.ErrnoException);
  }
}

/** What the signed report of a reconciliation says, as far as it is shown (behaviour 24.4.2). */
interface Report extends Pick<Reconciliation, 'verdict' | 'covered' | 'totals' | 'accounts' | 'moved_ranges'> {
  report: string;
  issued_at: string;
  import_supplier: { code: string; name: string; organisation: string };
  manifest: Pick<ManifestRecord, 'id' | 'source_system' | 'as_of' | 'computed_from_book' | 'lodged_before_load'> & {
    digest: string;
    person: string | null;
    sealed_by: string;
    sealed_at: string | null;
  };
  reconciliation: { id: string; created_by: string; person: string | null; finished_at: string | null };
  differences: { count: number; digest: string };
  bulk_jobs: { id: string; rehearsed: boolean; done: boolean }[];
  signed_off: SignOff | null;
}

/** What was signed, by whom and when, for people. */
function reportLines(report: Report): string[] {
  const { import_supplier, manifest, reconciliation, differences, bulk_jobs, signed_off } = report;
  const compared = {
    ...report,
    ...{ import_supplier: import_supplier.code, finished_at: reconciliation.finished_at },
  } as unknown as Reconciliation;
  return [
    `${import_supplier.organisation}: ${import_supplier.name}`,
    ...verdictLines({ reconciliation: compared, manifest, samples: [] }),
    '',
    `Report issued ${report.issued_at}, of reconciliation ${reconciliation.id}`,
    `  compared by ${who(reconciliation.created_by, reconciliation.person)}`,
    `  manifest ${manifest.id}, sealed ${manifest.sealed_at} by ${who(manifest.sealed_by, manifest.person)}`,
    `  ${counted(differences.count, 'difference')}; ${counted(bulk_jobs.length, 'bulk job')} before it`,
    ...(signed_off === null
      ? ['  not signed off']
      : [`  signed off by ${signed_off.person}, ${signed_off.at}: ${signed_off.note}`, `  ${signed_off.covers}`]),
  ];
}

const who = (kind: string, person: string | null) => person ?? (kind === 'staff' ? 'the service team' : 'the supplier');
