import { z } from 'zod';
import { anyJson, anyObject, isWithin } from '../any-json.ts';
import { list } from '../bounded-list.ts';
import { either } from '../either.ts';
import { documented, field, optional } from '../field.ts';
import type { FieldCode } from '../field-codes.ts';
import { LIMITS, limitText } from '../limits.ts';
import { text } from '../text.ts';

export const AccountReference = z
  .object({
    namespace: field(
      text(LIMITS.reference_namespace),
      `The system that uses the reference, up to ${limitText(LIMITS.reference_namespace)} characters.`,
      'legacy-crm',
    ),
    value: field(
      text(LIMITS.reference_value),
      `The reference, up to ${limitText(LIMITS.reference_value)} characters.`,
      'C-5512093',
    ),
  })
  .apply(documented, 'AccountReference', 'A number or name that the account has in another system.');

const KEY_RULE = `up to ${limitText(LIMITS.metadata_key)} characters`;
const VALUE_RULE = `any JSON of up to ${limitText(LIMITS.metadata_value_bytes)} bytes`;

export const AccountMetadata = z
  .object({
    key: field(text(LIMITS.metadata_key), `The name of the value, ${KEY_RULE}.`, 'migration_wave'),
    value: field(anyJson(LIMITS.metadata_value_bytes), `The value: ${VALUE_RULE}.`, '3', { wave: 3 }),
  })
  .apply(documented, 'AccountMetadata', 'A value of your own that is kept with the account.');

const Key = text(LIMITS.metadata_key);
const ANY_SIZE = Number.MAX_SAFE_INTEGER;

/** The same as an object. Its keys may be personal, so no error repeats one: it says which field it is. */
const metadataObject = anyObject(ANY_SIZE, LIMITS.nested).check(({ value, issues }) => {
  if (typeof value !== 'object' || value === null || Object.keys(value).length > LIMITS.nested) return;
  const say = (message: string, code: FieldCode) =>
    issues.push({ code: 'custom', message, params: { code }, input: value, continue: true });
  for (const [index, [key, content]] of Object.entries(value).entries()) {
    if (!Key.safeParse(key).success) say(`The key of field ${index + 1} must be a line of ${KEY_RULE}.`, 'invalid');
    if (!isWithin(content, LIMITS.metadata_value_bytes)) {
      say(`The value of field ${index + 1} must be ${VALUE_RULE}.`, 'max_bytes');
    }
  }
});

/** Values of the supplier's own: a list of pairs or an object (behaviour 2.10). */
export const metadataField = optional(
  either(list(AccountMetadata, LIMITS.nested), metadataObject),
  `Values of your own, up to ${limitText(LIMITS.nested)}: a list of pairs of \`key\` and \`value\`, or an object. A key has ${KEY_RULE}; a value is ${VALUE_RULE}.`,
  [{ key: 'migration_wave', value: '3' }],
  { migration_wave: 3, tags: ['early', 'paper'] },
);

/** Whatever has no field of its own. */
export const additionalDataField = optional(
  anyObject(LIMITS.additional_data_bytes, LIMITS.additional_data_fields),
  `Whatever else you have of the account: any JSON object of up to ${limitText(LIMITS.additional_data_bytes)} bytes. It is kept with the account and shown to the service team.`,
  { legacy_flags: { vip: false }, last_contact: '2026-01-14' },
);
