import { z } from 'zod';
import { LIMITS, limitText } from '../limits.ts';

const PREFERENCE = /^opted_into_[a-z0-9_]{1,64}$/;

// A record whose other keys are undocumented fields, so they are dropped like those of any object; zod's own records
// would refuse them or pass them on.
const PreferenceRecord = z.core.$constructor<z.ZodRecord>('PreferenceRecord', (instance, definition) => {
  z.ZodRecord.init(instance, definition);
  const parseWithZod = instance._zod.parse;
  instance._zod.parse = (payload, context) => {
    const input = payload.value;
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return parseWithZod(payload, context);
    const documented = Object.entries(input).filter(([key]) => PREFERENCE.test(key));
    if (documented.length > LIMITS.nested) {
      payload.issues.push({ code: 'too_big', origin: 'record', maximum: LIMITS.nested, input, inst: instance });
      return payload;
    }
    payload.value = Object.fromEntries(documented);
    return parseWithZod(payload, context);
  };
});

/** The topics the customer opted into: `opted_into_<topic>`, each true or false (behaviour 2.10). */
export const CustomerPreferences = (
  new PreferenceRecord({
    type: 'record',
    keyType: z.string().regex(PREFERENCE),
    valueType: z.boolean(),
  }) as z.ZodRecord<z.ZodString, z.ZodBoolean>
).meta({
  id: 'CustomerPreferences',
  description: `The topics the customer opted into: keys of the form \`opted_into_<topic>\`, up to ${limitText(LIMITS.nested)}, each true or false. Other keys are undocumented.`,
  maxProperties: LIMITS.nested,
  examples: [{ opted_into_offers: false, opted_into_updates: true }],
});
