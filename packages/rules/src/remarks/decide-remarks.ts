import { type DoubtCode, type FieldError, LIMITS, REMARKS, type SuspectDataMode } from '@causeway/contracts';
import { type Doubt, remarksOfTexts } from './remarks-of.ts';

/** What of an import supplier decides about its remarks. */
export interface RemarkSettings {
  suspect_data: SuspectDataMode;
  /** Of some codes, instead of `suspect_data`. */
  suspect_data_by_code: Readonly<Partial<Record<string, SuspectDataMode>>>;
  balance_check: SuspectDataMode;
  country: string;
}

/** Finds what is doubtful about a valid request beside its texts. */
export type FindRemarks = (request: unknown, settings: RemarkSettings) => readonly Doubt[];

/** What is doubtful about a request: stored as it was sent, and reported. */
export function remarksOf(request: unknown, settings: RemarkSettings, find?: FindRemarks): Doubt[] {
  return findRemarks('REPORT', { request, settings, find });
}

/** What the import supplier refuses of it, as many as are reported. */
export function refusedRemarks(request: unknown, settings: RemarkSettings, find?: FindRemarks): FieldError[] {
  const refused = findRemarks('REFUSE', { request, settings, find });
  return refused.slice(0, LIMITS.reported_errors).map(({ code, attr, detail }) => ({
    detail:
      detail === undefined
        ? REMARKS[code].when
        : `Does not add up: ${detail.sent} was sent, and its parts add up to ${detail.computed}.`,
    code,
    attr,
  }));
}

interface Doubted {
  request: unknown;
  settings: RemarkSettings;
  find: FindRemarks | undefined;
}

function findRemarks(mode: SuspectDataMode, { request, settings, find }: Doubted): Doubt[] {
  const { suspect_data, suspect_data_by_code, balance_check } = settings;
  const isNever =
    suspect_data !== mode && balance_check !== mode && !Object.values(suspect_data_by_code).includes(mode);
  if (isNever) return [];
  const found = remarksOfTexts(request);
  if (find !== undefined) found.push(...find(request, settings));
  return found.length === 0 ? found : found.filter(({ code }) => modeOf(code, settings) === mode);
}

/** `balance_check` decides about sums. */
function modeOf(
  code: DoubtCode,
  { suspect_data, suspect_data_by_code, balance_check }: RemarkSettings,
): SuspectDataMode {
  return code === 'balance_does_not_add_up' ? balance_check : (suspect_data_by_code[code] ?? suspect_data);
}
