import { z } from 'zod';
import { documented } from '../field.ts';
import { exampleAccountImport, StaffAccountImport, StaffAccountImportDetail } from './account-imports.ts';

const exampleListed = { ...exampleAccountImport, complete: false };

/** An account import in a list (behaviour 14.6.9). */
export const ListedAccountImport = z
  .object({ ...StaffAccountImport.shape, complete: StaffAccountImportDetail.shape.complete })
  .meta({
    id: 'ListedAccountImport',
    description: 'An account import in a list of the service team.',
    examples: [exampleListed],
  });
export type ListedAccountImport = z.infer<typeof ListedAccountImport>;

export const StaffListAccountImportsResponse = z
  .array(ListedAccountImport)
  .apply(documented, 'StaffListAccountImportsResponse', 'The account imports, in the order of the request.');
