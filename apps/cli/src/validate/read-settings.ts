import type { OwnImportSupplier } from '@causeway/contracts';
import { givenSettings } from '../admin/supplier-flags.ts';
import type { Context } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';

/** The flags of `validate`. */
export interface ValidateOptions extends Readonly<Record<string, unknown>> {
  report?: string;
  maxRefused?: string;
  likeSupplier?: string;
  supplier?: string;
  timeZone?: string;
  today?: string;
  paymentVendors?: string;
  rejectUndocumentedFields?: boolean;
}

/** Those of a new import supplier. */
const DEFAULTS = {
  country: 'GB',
  time_zone: 'Europe/London',
  undocumented_fields: 'REPORT',
  empty_means_omitted: false,
  statement_amount_unit: 'MAJOR',
  account_types: [],
  balance_check: 'REPORT',
  suspect_data: 'REPORT',
  suspect_data_by_code: {},
  zero_amounts: 'KEEP',
} as const;

const CHOICES: Partial<Record<keyof CheckSettings, readonly string[]>> = {
  undocumented_fields: ['REPORT', 'REJECT', 'KEEP'],
  statement_amount_unit: ['MAJOR', 'MINOR'],
  balance_check: ['OFF', 'REPORT', 'REFUSE'],
  suspect_data: ['OFF', 'REPORT', 'REFUSE'],
  zero_amounts: ['KEEP', 'OMIT'],
};

/**
 * The settings by which a book is checked: those of flags, of the import supplier that --like-supplier names, and of a
 * new one, in this order. `named` is the supplier that the book names.
 */
export async function readSettings(
  context: Context,
  options: ValidateOptions,
  named: string | undefined,
): Promise<CheckSettings> {
  const { likeSupplier, supplier, paymentVendors, rejectUndocumentedFields } = options;
  const code = supplier ?? likeSupplier ?? named;
  if (code === undefined) {
    throw new Failure('usage', 'No line of the beginning names an import supplier: name it with --supplier.');
  }
  const settings = {
    ...DEFAULTS,
    ...(likeSupplier !== undefined && settingsOf(await findSupplier(context, likeSupplier))),
    ...(rejectUndocumentedFields && { undocumented_fields: 'REJECT' as const }),
    ...givenSettings(options),
    ...(options.timeZone !== undefined && { time_zone: options.timeZone }),
    payment_vendors: paymentVendors?.split(',').map((vendor) => vendor.trim()) ?? null,
    supplier: code,
  } as Omit<CheckSettings, 'today'>;
  refuseUnknownChoices(settings);
  return { ...settings, today: options.today ?? dayIn(settings.time_zone, context.now()) };
}

async function findSupplier(context: Context, code: string): Promise<OwnImportSupplier> {
  // It brings the schemas, which the threads alone need otherwise: memory is bounded.
  const { openService } = await import('../session/open-service.ts');
  const service = await openService(context);
  return service.get<OwnImportSupplier>(`import-suppliers/${encodeURIComponent(code)}/`);
}

function settingsOf(supplier: OwnImportSupplier): Partial<CheckSettings> {
  const { country, time_zone, undocumented_fields, empty_means_omitted } = supplier;
  const { statement_amount_unit, account_types, balance_check, suspect_data, suspect_data_by_code } = supplier;
  // An older service has no such setting.
  const { zero_amounts = 'KEEP' } = supplier;
  return {
    country,
    time_zone,
    undocumented_fields,
    empty_means_omitted,
    statement_amount_unit,
    account_types,
    balance_check,
    suspect_data,
    suspect_data_by_code,
    zero_amounts,
  };
}

function refuseUnknownChoices(settings: Omit<CheckSettings, 'today'>): void {
  for (const [name, choices] of Object.entries(CHOICES)) {
    const value = String(settings[name as keyof typeof settings]);
    const flag = `--${name.replaceAll('_', '-')}`;
    if (!choices.includes(value)) throw new Failure('usage', `${flag} is ${choices.join(', ')}, and not “${value}”.`);
  }
  if (!/^[A-Z]{2}$/.test(settings.country)) {
    throw new Failure('usage', `--country is a code of two capitals, such as GB, and not “${settings.country}”.`);
  }
}

/** The calendar day of a moment in a time zone, YYYY-MM-DD. */
function dayIn(timeZone: string, now: Date): string {
  try {
    return now.toLocaleDateString('sv-SE', { timeZone });
  } catch (error) {
    throw new Failure('usage', `Unknown time zone “${timeZone}”. Give a name such as Europe/London.`, { cause: error });
  }
}

/** All that the answer to a line depends on besides the line; as JSON, for the workers and for the report. */
export interface CheckSettings {
  supplier: string;
  country: string;
  time_zone: string;
  /** YYYY-MM-DD in that time zone. */
  today: string;
  undocumented_fields: 'REPORT' | 'REJECT' | 'KEEP';
  empty_means_omitted: boolean;
  statement_amount_unit: 'MAJOR' | 'MINOR';
  account_types: readonly string[];
  balance_check: 'OFF' | 'REPORT' | 'REFUSE';
  suspect_data: 'OFF' | 'REPORT' | 'REFUSE';
  suspect_data_by_code: OwnImportSupplier['suspect_data_by_code'];
  zero_amounts: 'KEEP' | 'OMIT';
  /** Those that the service knows; null if any is accepted. */
  payment_vendors: readonly string[] | null;
}
