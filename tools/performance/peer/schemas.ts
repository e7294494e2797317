import { z } from 'zod';
import {
  AccountPayload,
  NotesRequest,
  ProcessRequest,
  StatementsRequest,
  Transaction,
  TransactionsRequest,
} from '../shared/payloads.ts';
import { Refusal } from '../shared/refusal.ts';

type Schema = z.core.JSONSchema.JSONSchema;

/** The reference's shape as a plain JSON schema, as one writes it by hand; rules between fields have none. */
function written(shape: z.ZodType): Schema {
  const override = ({ jsonSchema: schema }: { jsonSchema: Schema }) => {
    const patterns = [schema.pattern, ...(schema.allOf ?? []).map((part) => (part as Schema).pattern)];
    if (patterns.includes('\\S')) schema.minLength = 1;
    delete schema.allOf;
    delete schema.pattern;
    const pattern = patterns.find((one) => one !== undefined && one !== '\\S');
    // One check of a date or an address is enough.
    if (schema.format === 'date-time') delete schema.format;
    if (schema.format === undefined && pattern !== undefined) schema.pattern = pattern;
    // Money, to the penny.
    if (schema.exclusiveMaximum === 1e11) schema.multipleOf = 0.01;
    if (schema.oneOf !== undefined) {
      Object.assign(schema, { type: 'object', required: ['type'], discriminator: { propertyName: 'type' } });
    }
  };
  return z.toJSONSchema(shape, { io: 'input', target: 'draft-7', override }) as Schema;
}

const object = (properties: Record<string, Schema>): Schema => ({ type: 'object', properties });
const text: Schema = { type: 'string' };

export const Account = written(AccountPayload);
export const Process = written(ProcessRequest);
export const Notes = written(NotesRequest);
export const Transactions = written(TransactionsRequest);
export const Statements = written(StatementsRequest);

export const AccountKey = object({ import_supplier: text, external_account_number: text });
export const Created = object({ service_account_number: text, external_account_number: text });
export const Status = object({ status: text, service_account_number: text });
const NoteShown = object({ created_at: text, body: { anyOf: [text, { type: 'null' }] }, status: text });
export const NotesShown: Schema = { type: 'array', items: NoteShown };
const kinds = written(Transaction).oneOf as Schema[];
const TransactionShown = object({
  ...Object.assign({}, ...kinds.map(({ properties }) => properties)),
  ...{ type: text, amount: text, status: text },
});
const Result = object({ status: text, transaction_data: TransactionShown });
export const TransactionsShown = object({ results: { type: 'array', items: Result } });

/** The options of a route: its schemas, and what Fastify answers to a body that does not match. */
export function shaped(body: Schema, response: Schema, code = 'request_failed_validation') {
  const schemaErrorFormatter = (problems: { instancePath: string; message?: string; keyword: string }[]) => {
    const errors = problems.map(({ instancePath, message = '', keyword }) => {
      return { detail: message, code: keyword, attr: instancePath.slice(1).replaceAll('/', '.') };
    });
    return new Refusal(400, code, 'The payload failed validation.', { errors });
  };
  return { schema: { body, response: { '2xx': response } }, schemaErrorFormatter };
}
