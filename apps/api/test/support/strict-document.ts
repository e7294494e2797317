import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { publishedDocument } from './published-document.ts';

/**
 * The published document leaves room for what may be added: further fields and codes. The service of today has to keep
 * to what is written today, so the tests read a copy without that room.
 */
const strictDocument = { $id: 'openapi', ...(strict(publishedDocument) as object) };

const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, code: { optimize: false } });
addFormats.default(ajv);
ajv.addSchema(strictDocument);

/** The validator of the schema at a JSON pointer into the document; compiled at its first use. */
function strictValidator(pointer: string): ValidateFunction {
  const validate = ajv.getSchema(`openapi#${encodeURI(pointer)}`);
  if (validate === undefined) {
    throw new Error(`The published document has no schema at ${pointer}`);
  }
  return validate;
}

/** What is wrong with a value by the schema at a JSON pointer, one line each. */
export function problemsOf(value: unknown, pointer: string): string[] {
  const validate = strictValidator(pointer);
  return validate(value)
    ? []
    : (validate.errors ?? []).map(
        ({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`,
      );
}

function strict(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(strict);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  const { example: _, examples: __, ...rest } = value as Record<string, unknown>;
  const copy = Object.fromEntries(Object.entries(rest).map(([key, part]) => [key, strict(part)]));
  const isOpenObject = 'properties' in copy && copy.type !== undefined && !('additionalProperties' in copy);
  return {
    ...copy,
    ...(isOpenObject ? { additionalProperties: false } : {}),
    ...('x-extensible-enum' in copy ? { enum: copy['x-extensible-enum'] } : {}),
  };
}
