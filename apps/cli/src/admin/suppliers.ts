import { eachRecord, type Inputs } from '@causeway/client';
import type { ImportSupplier, ImportSupplierDetail, Readiness } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { listed } from '../frame/listed.ts';
import { openStaff } from '../session/open-staff.ts';
import { tableLines } from '../terminal/lines.ts';
import { grouped } from '../terminal/numbers.ts';
import { organisationId, organisationNames } from './organisations.ts';
import { givenSettings } from './supplier-flags.ts';

type Create = Inputs['importSuppliers']['create'];
type Update = Inputs['importSuppliers']['update'];

interface Creating {
  words: [string];
  options: { name: string; organisation: string };
}

/** Creates an import supplier of an organisation; it is ONGOING. */
export async function createSupplier(context: Context, { words: [code], options }: Creating): Promise<Result> {
  const settings = givenSettings({ ...options }) as Partial<Create>;
  const service = await openStaff(context);
  const organisation_id = await organisationId(service, options.organisation);
  const request: Create = { ...settings, code, name: options.name, organisation_id };
  const supplier = await service.answer(service.client.importSuppliers.create.mutate(request));
  context.output.say(
    `Created. Next, its key: causeway admin keys issue --organisation '${options.organisation}' --label TEXT`,
  );
  return { document: supplier, lines: settingLines(supplier) };
}

interface Updating {
  words: [string];
  options: { name?: string };
}

/** Changes the settings that are named, and no others. */
export async function updateSupplier(context: Context, { words: [code], options }: Updating): Promise<Result> {
  const { name } = options;
  const settings: Partial<Update> = { ...givenSettings({ ...options }), ...(name !== undefined && { name }) };
  if (Object.keys(settings).length === 0) {
    throw new Failure('usage', 'Name what to change: causeway admin suppliers update --help lists the settings.');
  }
  const { client, answer } = await openStaff(context);
  const supplier = await answer(client.importSuppliers.update.mutate({ ...settings, code }));
  context.output.say('Updated: every instance of the service works with it within 5 seconds.');
  return { document: supplier, lines: settingLines(supplier) };
}

/** An import supplier's settings, how far its migration is, and whether it can be called complete. */
export async function showSupplier(context: Context, { words: [code] }: { words: [string] }): Promise<Result> {
  const { client, answer } = await openStaff(context);
  const supplier = await answer(client.importSuppliers.get.query({ code }));
  const readiness = await answer(client.overview.readiness.query({ code }));
  return {
    document: { ...supplier, readiness },
    lines: [...settingLines(supplier), '', ...countLines(supplier), '', ...readinessLines(readiness)],
  };
}

/** Lists import suppliers in the order of their codes: all of them, or one organisation's. */
export async function listSuppliers(
  context: Context,
  { options }: { options: { organisation?: string } },
): Promise<Result> {
  const service = await openStaff(context);
  const { client, answer } = service;
  const asked =
    options.organisation === undefined ? {} : { organisation_id: await organisationId(service, options.organisation) };
  const records: ImportSupplier[] = await answer(Array.fromAsync(eachRecord(client.importSuppliers.list, asked)));
  const names = await answer(organisationNames(client));
  return listed(context, { name: 'suppliers', records }, ({ code, status, name, organisation_id }) => {
    return [code, status, name, names.get(organisation_id) ?? organisation_id];
  });
}

/** The settings by their flags, as `update` takes them. */
export function settingLines({ code, ...settings }: ImportSupplier): string[] {
  const { organisation_id, created_at, document_location, reject_undocumented_fields: _, ...flags } = settings;
  const rows = Object.entries({ organisation_id, ...flags, document_location, created_at })
    .filter(([field]) => field !== 'counts')
    .map(([field, value]) => [`  ${field}`, shown(value)]);
  return [code, ...tableLines(rows)];
}

function shown(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(',') || 'none';
  return value === null ? 'none' : String(value);
}

function countLines({ counts }: ImportSupplierDetail): string[] {
  return [
    'Accounts',
    ...tableLines(
      Object.entries(counts).map(([state, count]) => [`  ${state}`, grouped(count)]),
      [1],
    ),
  ];
}

/** Whether the migration can be called complete, condition by condition. */
export function readinessLines({ ready, conditions }: Pick<Readiness, 'ready' | 'conditions'>): string[] {
  const met = conditions.filter(({ ok }) => ok).length;
  const head = ready
    ? 'Ready to be COMPLETE'
    : `Not ready to be COMPLETE: ${met} of ${conditions.length} conditions are met`;
  return [head, ...conditions.map(({ ok, sentence }) => `  ${ok ? '✓' : '✗'} ${sentence}`)];
}
