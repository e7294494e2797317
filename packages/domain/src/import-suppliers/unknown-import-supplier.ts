import { DomainError } from '../errors.ts';

/** The refusal of a staff call for a code that was never created. */
export function unknownImportSupplier(): DomainError {
  return new DomainError('import_supplier_does_not_exist', 'There is no import supplier with this code.', {
    attr: 'code',
  });
}
