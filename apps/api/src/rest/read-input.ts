import type { FieldError } from '@causeway/contracts';
import { WireRefusal } from '../http/wire-refusal.ts';
import type { ParameterType, Route } from './routes.ts';

/** A procedure's input over REST, and its undocumented part. */
export interface RestInput {
  input: Record<string, unknown>;
  undocumentedFields: string[];
}

/**
 * Merges body, declared query parameters and path parameters into the procedure's input, which is the body's object.
 * Each has one place: a query parameter in the body (or the other way round) is undocumented there and ignored.
 */
export function readInput(
  route: Route,
  sources: { body: Record<string, unknown>; query: URLSearchParams; pathParameters: Record<string, string> },
): RestInput {
  const input = sources.body;
  const undocumentedFields: string[] = [];
  for (const name of route.queryParameters.keys()) {
    if (Object.hasOwn(input, name)) {
      undocumentedFields.push(name);
      delete input[name];
    }
  }
  if (sources.query.size > 0) {
    undocumentedFields.push(...readQuery(route, sources.query, input));
  }
  return { input: Object.assign(input, sources.pathParameters), undocumentedFields };
}

/** Puts the documented parameters into the input; returns the names of the others. */
function readQuery(route: Route, query: URLSearchParams, input: Record<string, unknown>): string[] {
  const undocumentedFields: string[] = [];
  const errors: FieldError[] = [];
  // In one pass: a look-up per name would search all of them each time, and a request may have thousands.
  for (const [name, given] of Map.groupBy(query, ([name]) => name)) {
    const type = route.queryParameters.get(name);
    if (type === undefined) {
      undocumentedFields.push(name);
    } else if (given.length > 1) {
      errors.push({ detail: 'Give this parameter once.', code: 'invalid', attr: name });
    } else {
      input[name] = readParameter(type, given[0]?.[1] ?? '');
    }
  }
  if (errors.length > 0) {
    throw new WireRefusal('request_failed_validation', 'A query parameter is given more than once.', { errors });
  }
  return undocumentedFields;
}

const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

// What is no such spelling stays a string, which the schema refuses if it expects another type. A fraction is a number,
// so that the refusal says what is wrong with it; a whole number has no fraction, not even zero.
function readParameter(type: ParameterType, text: string): unknown {
  if (type === 'boolean') return BOOLEANS.get(text.toLowerCase()) ?? text;
  if (type !== 'number' || !/^-?\d{1,15}(\.\d{1,15})?$/.test(text)) return text;
  const number = Number(text);
  return Number.isInteger(number) && text.includes('.') ? text : number;
}
