import { z } from 'zod';
import { REMARKS, type RemarkCode } from '../error-codes/remarks.ts';
import { documented, field } from '../field.ts';
import { LIMITS } from '../limits.ts';
import { RefusedOperation, RemarkDecision } from '../refusals.ts';
import { prose, text } from '../text.ts';
import { code } from './import-supplier-fields.ts';

const reason = field(
  prose(LIMITS.staff_reason),
  'Why, for the list of problems and the audit trail. No personal data.',
  'Northwind confirmed: meter points of the test field have no check digit',
);

/** Decides about a kind of remark (behaviour 4.18.4). */
export const DecideRemarkRequest = z
  .object({
    code,
    operation: field(RefusedOperation, 'The operation, as the list of problems has it.', 'stage'),
    remark: field(z.enum(Object.keys(REMARKS) as RemarkCode[]), 'The code of the remark.', 'unlikely_meter_point'),
    attr: field(
      text(LIMITS.path_parameter),
      'Its field, as the list of problems has it.',
      'supply_addresses.*.meter_points.*.identifier',
    ),
    decision: field(
      z.enum([...RemarkDecision.options, 'OPEN']),
      'ACCEPTED: it is right as it is, now and later. FIXED: what was seen until now was fixed. OPEN: neither, an earlier ' +
        'decision is taken back.',
      'ACCEPTED',
    ),
    reason,
  })
  .apply(documented, 'DecideRemarkRequest', 'Decides about a kind of remark of an import supplier.');
export type DecideRemarkRequest = z.infer<typeof DecideRemarkRequest>;

export const DecideRemarkResponse = z
  .object({ decision: field(RemarkDecision.nullable(), 'What is decided now; null if nothing is.', 'ACCEPTED') })
  .apply(documented, 'DecideRemarkResponse', 'What is decided about a kind of remark.');
export type DecideRemarkResponse = z.infer<typeof DecideRemarkResponse>;
