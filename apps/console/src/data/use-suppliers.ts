import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { OutputOf } from './ask.ts';
import { askAll } from './list-all.ts';

export type Supplier = OutputOf<'importSuppliers.list'>[number];

/** All import suppliers, by code. */
export function useSuppliers(): UseQueryResult<Supplier[]> {
  return useQuery(askAll('importSuppliers.list'));
}

/** The choices of a filter by import supplier. */
export function supplierChoices(suppliers: readonly Supplier[] = []): { value: string; name: string }[] {
  return suppliers.map(({ code, name }) => ({ value: code, name: code === name ? code : `${code}: ${name}` }));
}
