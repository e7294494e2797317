import { isDeepStrictEqual } from 'node:util';
import type { CreateManifestRequest, Manifest, ManifestRecord } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { openService, type Service } from '../session/open-service.ts';
import { quoted } from '../terminal/lines.ts';
import { counted, grouped } from '../terminal/numbers.ts';
import { isSound, surveyLines } from './check.ts';
import { cutParts, ManifestDigest, type ManifestFile, readRows } from './manifest-file.ts';
import { type Survey, surveyManifest } from './survey.ts';

interface Lodging {
  words: [string];
  options: { supplier: string; sourceSystem?: string; asOf?: string; totals?: string; encoding?: string };
}

const HEADERS = { 'content-type': 'application/x-ndjson' };
const AT_ONCE = 3;

/**
 * Lodges a manifest file: totals, lines in parts, and the seal (behaviour 25.7.3). One that was interrupted continues
 * with the manifest that it began, which the service knows; one that is lodged already stays as it is.
 */
export async function lodgeManifest(context: Context, { words: [file], options }: Lodging): Promise<Result> {
  const survey = await surveyManifest(context, { file, ...options });
  if (!isSound(survey)) {
    throw new Failure('refused', 'Nothing was lodged.', { lines: surveyLines(file, survey) });
  }
  const request = requestOf(survey, options);
  const service = await openService(context);
  const { output } = context;
  const known = await findManifest(service, request, survey);
  if (known?.state === 'SEALED') {
    output.say(`${file} is lodged already, since ${known.sealed_at}: nothing was done.`);
    return resultOf(context, known);
  }
  const { id } = known ?? (await service.post<Manifest>('manifests/', request));
  output.say(
    `${known === undefined ? 'Lodging' : 'Continuing with'} manifest ${id}, ${counted(survey.parts, 'part')}.`,
  );
  await putParts(context, service, { id, manifest: { file, encoding: options.encoding }, survey });
  const sealed = await service.post<Manifest>(`manifests/${id}/seal/`, {});
  if (sealed.digest !== survey.digest) {
    throw new Failure('unexpected', `The service has other lines than ${file}: its digest is ${sealed.digest}.`, {
      lines: [`  Withdraw it, and lodge it again: causeway manifest withdraw ${id}`],
    });
  }
  return resultOf(context, sealed);
}

/** The request that creates it: flags first, then what the file says itself. */
function requestOf({ head, totals }: Survey, options: Lodging['options']): CreateManifestRequest {
  const source_system = options.sourceSystem ?? head.source_system;
  const as_of = options.asOf ?? head.as_of;
  if (source_system === undefined) {
    throw new Failure('usage', 'Which system has counted? Say --source-system, such as "Harbour & Vale billing".');
  }
  if (as_of === undefined) {
    throw new Failure('usage', 'As of when did it count? Say --as-of in UTC, such as 2026-04-16T22:00:00Z.');
  }
  const computed_from_book = head.computed_from_book === true;
  return { import_supplier: options.supplier, source_system, as_of, totals, computed_from_book };
}

async function findManifest(
  service: Service,
  request: CreateManifestRequest,
  { digest }: Survey,
): Promise<ManifestRecord | undefined> {
  const query = `?import_supplier=${encodeURIComponent(request.import_supplier)}`;
  const listed = await service.get<ManifestRecord[]>(`manifests/${query}`);
  const { source_system, as_of, totals, computed_from_book } = request;
  const asked = { source_system, as_of, totals, computed_from_book };
  const isSame = (one: ManifestRecord) =>
    isDeepStrictEqual(asked, {
      ...{ source_system: one.source_system, as_of: one.as_of },
      ...{ totals: one.totals, computed_from_book: one.computed_from_book },
    });
  const same = listed.filter(isSame);
  return (
    same.find((one) => one.state === 'SEALED' && one.digest === digest) ?? same.find((one) => one.state === 'OPEN')
  );
}

/** A part that is there already is answered with the same bytes' 200, and with other bytes' refusal. */
async function putParts(
  context: Context,
  service: Service,
  { id, manifest, survey }: { id: string; manifest: ManifestFile; survey: Survey },
): Promise<void> {
  const digest = new ManifestDigest();
  const running = new Set<Promise<void>>();
  let stored = 0;
  for await (const part of cutParts(readRows(manifest, context))) {
    digest.add(part);
    const put = service.put(`manifests/${id}/parts/${digest.parts}/`, part, HEADERS).then(() => {
      running.delete(put);
      stored += 1;
      context.output.show([`  ${grouped(stored)} of ${counted(survey.parts, 'part')} stored`]);
      context.output.event('part_stored', { id, parts: stored, of: survey.parts });
    });
    // What goes wrong is thrown below, once; the others that are under way then do not matter.
    put.catch(() => undefined);
    running.add(put);
    if (running.size >= AT_ONCE) await Promise.race(running);
  }
  await Promise.all(running);
  if (context.stop.aborted) {
    throw new Failure('interrupted', `Interrupted: manifest ${id} is not sealed. The same command continues with it.`);
  }
  if (digest.hex() !== survey.digest) {
    throw new Failure('usage', `${manifest.file} was changed meanwhile. Withdraw manifest ${id}, and lodge it again.`);
  }
}

function resultOf({ output }: Context, manifest: ManifestRecord): Result {
  const { id, import_supplier, digest, computed_from_book, lodged_before_load } = manifest;
  const remarks = [
    ...(computed_from_book
      ? ['It was computed from the book: it proves that the book arrived, and not that the book is complete.']
      : []),
    ...(lodged_before_load === false ? ['It was sealed after the first account was created: its report says so.'] : []),
    `Next, once the accounts are moved: causeway reconcile --supplier ${quoted(import_supplier)}`,
  ];
  for (const remark of remarks) output.say(remark);
  return { document: manifest, lines: [`${id}  SEALED  digest ${digest}`] };
}
