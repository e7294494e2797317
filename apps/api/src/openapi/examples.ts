import { DryRunErrorBody, documentationUrl, ERROR_CODES, type ErrorCode, type ErrorExample } from '@causeway/contracts';
import type { oas31 } from 'zod-openapi';
import type { Route } from '../rest/routes.ts';
import { type Change, only, type Place, STORY } from './story.ts';

export type Schema = oas31.SchemaObject | oas31.ReferenceObject;
export type Schemas = Record<string, Schema>;

/** The example of a schema: its own or, composed, those of its fields, of its first option, or of one item. */
export function exampleOf(schema: Schema, schemas: Schemas): unknown {
  const { $ref, examples, properties, items, allOf, oneOf, anyOf } = schema as oas31.SchemaObject;
  if ($ref !== undefined) return exampleOf(schemas[$ref.replace(/^.*\//, '')] ?? {}, schemas);
  const [option] = oneOf ?? anyOf ?? allOf ?? [];
  if (examples?.[0] !== undefined) return examples[0];
  if (option !== undefined) return exampleOf(option, schemas);
  if (items !== undefined) return [exampleOf(items as Schema, schemas)];
  if (properties === undefined) return undefined;
  return Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, exampleOf(field, schemas)]));
}

/** The examples of an operation's request or answer, from the `example` of its schema, with its `summary`. */
export function publishedExamples(
  [operationId, place]: [operationId: string, place: number | 'request'],
  { example, summary }: { example: unknown; summary: string },
): Record<string, oas31.ExampleObject> {
  const told = STORY[operationId]?.[place as Place] ?? only({});
  return Object.fromEntries(
    Object.entries(told).map(([name, [own, change = {}]]) => [
      name,
      { summary: own || summary, value: changed(example, change) },
    ]),
  );
}

function changed(example: unknown, change: Change): unknown {
  if (typeof change === 'function') return change(example);
  return Array.isArray(example) ? example : { ...Object(example), ...change };
}

/** Examples of refusals that depend on the operation. */
export type Refusals = Partial<Record<ErrorCode, ErrorExample>>;

/** The body of a refusal: as the table of codes has it or, if there is one, as the operation answers it. */
export function errorExample(code: ErrorCode, refusals: Refusals = {}): object {
  const { detail, errors = [], extra } = refusals[code] ?? ERROR_CODES[code].example;
  return {
    detail,
    code,
    errors: typeof errors === 'string' ? [{ detail, code, attr: errors }] : errors,
    documentation_url: documentationUrl(code),
    ...extra,
  };
}

interface Operation {
  route: Route;
  parameters: readonly (oas31.ParameterObject | oas31.ReferenceObject)[];
  body: oas31.SchemaObject | undefined;
  /** The example of its success. */
  answer: unknown;
}

/** The refusals that name a field, or something else, of this very operation. */
export function refusalsOf({ route, parameters, body, answer }: Operation): Refusals {
  const { method, meta, procedure } = route;
  const refusals: Refusals = {};
  for (const code of ['import_supplier_does_not_exist', 'import_supplier_migration_not_ongoing'] as const) {
    refusals[code] = { ...ERROR_CODES[code].example, errors: procedure.supplierField };
  }
  if (meta.operation !== 'process') {
    const [{ detail } = { detail: '' }] = (DryRunErrorBody.meta()?.examples ?? []) as DryRunErrorBody[];
    refusals.dry_run_rolled_back = { detail, extra: { would_answer: answer } };
  }
  if (method === 'GET') {
    // What is only staged can be read too.
    const detail = 'No account NW-0009999 was staged for this import supplier.';
    refusals.account_not_found = { detail, errors: 'external_account_number' };
  }
  const invalid = meta.errors?.includes('account_failed_validation') ? undefined : faultOf(parameters, body);
  if (invalid !== undefined) refusals.request_failed_validation = invalid;
  return refusals;
}

/** A fault that the operation's input can have: a field that is missing, or a parameter that is too large. */
function faultOf(parameters: Operation['parameters'], body: Operation['body']): ErrorExample | undefined {
  const missing = body?.required?.at(-1);
  if (missing !== undefined) return invalid(missing, 'required', 'This field is required.');
  const byName = new Map(
    (parameters as oas31.ParameterObject[]).map(({ name, schema }) => [name, schema as oas31.SchemaObject]),
  );
  const [limit, number] = [byName.get('limit'), byName.get('external_account_number')];
  if (limit !== undefined) return invalid('limit', 'max_value', `Must be at most ${limit.maximum}.`);
  return number && invalid('external_account_number', 'max_length', `Must be at most ${number.maxLength} characters.`);
}

function invalid(attr: string, code: 'required' | 'max_value' | 'max_length', detail: string): ErrorExample {
  return { detail: `The payload failed validation: ${attr}.`, errors: [{ detail, code, attr }] };
}
