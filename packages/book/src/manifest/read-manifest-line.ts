import { type FieldError, fieldErrorsOf, LIMITS, ManifestLine } from '@causeway/contracts';
import { parseLine } from '../reader/parse-line.ts';
import { claimsOf, type LineClaims } from './manifest-figures.ts';

export interface ManifestSettings {
  /** The code of the manifest's import supplier: a line may name no other. */
  importSupplier: string;
}

/**
 * One line of a manifest, checked, or all its problems (behaviour 22.2). It is read as strictly as a line of a book,
 * and a field that is no figure is refused.
 */
export function readManifestLine(
  bytes: Buffer,
  { importSupplier }: ManifestSettings,
): { line: LineClaims } | { errors: FieldError[] } {
  const parsed = parseLine(bytes, LIMITS.manifest_line_bytes, 'manifest line');
  if ('refusal' in parsed) {
    const { code, detail, errors } = parsed.refusal;
    return { errors: errors.length > 0 ? errors : [{ detail, code, attr: '' }] };
  }
  const checked = ManifestLine.safeParse(parsed.object);
  if (!checked.success) return { errors: fieldErrorsOf(checked.error, parsed.object) };
  const { import_supplier } = checked.data;
  if (import_supplier !== undefined && import_supplier !== importSupplier) return { errors: [FOREIGN] };
  return { line: claimsOf(checked.data) };
}

const FOREIGN: FieldError = {
  detail: 'The line is about another import supplier: a manifest has the accounts of one.',
  code: 'invalid',
  attr: 'import_supplier',
};
