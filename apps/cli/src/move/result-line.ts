import type { Moved } from './moved.ts';

/** The line as it stands in the book. */
export interface LineOfBook {
  number: number;
  bytes: Buffer;
}

/** A line of results.ndjson, as a job's results have it. */
export function resultOf({ number }: LineOfBook, external_account_number: string | undefined, moved: Moved): string {
  const { outcome, service_account_number, steps, refusal, remarks } = moved;
  const result = {
    line: number,
    external_account_number: external_account_number ?? null,
    outcome,
    ...(service_account_number !== undefined && { service_account_number }),
    ...(Object.keys(steps).length > 0 && { steps }),
    ...refusal,
    ...(remarks.length > 0 && { remarks }),
  };
  return `${JSON.stringify(result)}\n`;
}
