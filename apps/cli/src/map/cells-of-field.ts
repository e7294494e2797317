import { ACCOUNT_TYPES } from '@causeway/contracts';
import type { z } from 'zod';
import { type CellKind, cellKindOf } from '../convert/cell-kind.ts';
import { EACH, pathOfHeader, schemasOf } from '../convert/header-path.ts';
import { ACCOUNT_NUMBER, AccountNumber, type Kind } from '../convert/kinds.ts';

/** What a field takes. */
export function cellsOf(path: string, kind: Kind): { cellKind: CellKind; schemas: readonly z.core.$ZodType[] } {
  if (path === ACCOUNT_NUMBER) return { cellKind: 'text', schemas: [AccountNumber] };
  const steps = pathOfHeader(path, kind.schema);
  const schemas =
    steps === undefined
      ? []
      : schemasOf(
          kind.schema,
          steps.map((step) => (step === EACH ? '0' : step)),
        );
  return { cellKind: schemas.length === 0 ? 'text' : cellKindOf(schemas), schemas };
}

/** The values that a field takes, if it takes no others. */
export function choicesOf(schemas: readonly z.core.$ZodType[], path: string): readonly unknown[] {
  if (path === 'account_type') return ACCOUNT_TYPES;
  return schemas.flatMap(({ _zod: { values } }) => (values === undefined ? [] : [...values]));
}
