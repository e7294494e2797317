import {
  ALWAYS_TOLD,
  type DoubtCode,
  type FieldError,
  LIMITS,
  REMARKS,
  type SuspectDataMode,
  type UndocumentedFields,
  type UndocumentedFieldsMode,
} from '@causeway/contracts';
import { type Doubt, remarksOfTexts } from './remarks-of.ts';

/** What of an import supplier decides about its remarks. */
export interface RemarkSettings {
  suspect_data: SuspectDataMode;
  /** Of some codes, instead of `suspect_data`. */
  suspect_data_by_code: Readonly<Partial<Record<string, SuspectDataMode>>>;
  balance_check: SuspectDataMode;
  undocumented_fields: UndocumentedFieldsMode;
  country: string;
}

/** A valid request, and what its remarks depend on. */
export interface Remarked {
  request: unknown;
  /** False: `accept` has seen that no text of it is. */
  mayHaveDoubtfulText: boolean;
  undocumented?: UndocumentedFields | undefined;
  settings: RemarkSettings;
  /** YYYY-MM-DD in the service's time zone. */
  today: string;
  /** Finds what is doubtful beside the texts. */
  find: FindRemarks | undefined;
}
export type FindRemarks = (request: unknown, options: { country: string; today: string }) => readonly Doubt[];

/** What is told of a request that is accepted: what is doubtful is stored as it was sent, and what is undocumented is not. */
export function remarksOf(remarked: Remarked): Doubt[] {
  const { undocumented, settings } = remarked;
  const found = findRemarks('REPORT', remarked);
  if (undocumented === undefined || settings.undocumented_fields !== 'REPORT') return found;
  return [...found, ...undocumented.paths.map((attr): Doubt => ({ code: 'undocumented_field', attr }))];
}

/** What the import supplier refuses of it, as many as are reported. */
export function refusedRemarks(remarked: Remarked): FieldError[] {
  const { suspect_data, suspect_data_by_code, balance_check } = remarked.settings;
  const modes = [suspect_data, balance_check, ...Object.values(suspect_data_by_code)];
  if (!modes.includes('REFUSE')) return [];
  const refused = findRemarks('REFUSE', remarked);
  return refused.slice(0, LIMITS.reported_errors).map(({ code, attr, detail }) => ({
    detail:
      detail === undefined
        ? REMARKS[code].when
        : `Does not add up: ${detail.sent} was sent, and its parts add up to ${detail.computed}.`,
    // What is always told is never refused.
    code: code as Exclude<DoubtCode, 'transaction_date_moved'>,
    attr,
  }));
}

function findRemarks(mode: SuspectDataMode, remarked: Remarked): Doubt[] {
  const { request, mayHaveDoubtfulText, settings, today, find } = remarked;
  const found = mayHaveDoubtfulText ? remarksOfTexts(request) : [];
  if (find !== undefined) found.push(...find(request, { country: settings.country, today }));
  return found.length === 0 ? found : found.filter(({ code }) => modeOf(code, settings) === mode);
}

/** `balance_check` decides about sums. */
function modeOf(code: DoubtCode, settings: RemarkSettings): SuspectDataMode {
  if (ALWAYS_TOLD.some((told) => told === code)) return 'REPORT';
  const { suspect_data, suspect_data_by_code, balance_check } = settings;
  return code === 'balance_does_not_add_up' ? balance_check : (suspect_data_by_code[code] ?? suspect_data);
}
