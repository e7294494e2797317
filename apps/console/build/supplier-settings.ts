import { CreateImportSupplierRequest, UpdateImportSupplierRequest } from '@causeway/contracts';
import { z } from 'zod';

/** The older of two settings of the same: a person sees one. */
const LEFT_OUT = ['reject_undocumented_fields'];

/**
 * The settings of an import supplier as JSON Schema, for `define` of Vite: the forms have their limits and sentences from
 * the contracts, and the browser needs no zod for it.
 */
export function supplierSettings(): string {
  const fields = { create: CreateImportSupplierRequest.shape, update: UpdateImportSupplierRequest.shape };
  return JSON.stringify({ create: settingsOf(fields.create), update: settingsOf(fields.update) });
}

function settingsOf(shape: z.core.$ZodShape): Record<string, unknown> {
  const kept = Object.entries(shape).filter(([name]) => !LEFT_OUT.includes(name));
  return Object.fromEntries(
    kept.map(([name, schema]) => [name, z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })]),
  );
}
