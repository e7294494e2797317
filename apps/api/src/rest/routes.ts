import type { AnyRouter } from '@trpc/server';
import { z } from 'zod';
import { decodeComponent } from '../http/decode-component.ts';
import type { Procedure, ProcedureMeta } from '../procedures/meta.ts';
import { proceduresOf } from '../procedures/procedure.ts';

/** The type of a query parameter. */
export type ParameterType = 'string' | 'number' | 'boolean';

/** One REST route, from a procedure's meta. */
export interface Route {
  /** The procedure's tRPC path, `dataImport.importNotes`. */
  procedurePath: string;
  method: 'GET' | 'POST';
  /** The documented path, `/v1/.../{import_supplier_code}/`. */
  path: string;
  segments: string[];
  meta: ProcedureMeta;
  procedure: Procedure;
  queryParameters: ReadonlyMap<string, ParameterType>;
}

/** What a request's path leads to: a route and its decoded parameters, or the methods that the path has. */
export type Match<Matched extends AnyRoute = Route> =
  | { route: Matched; pathParameters: Record<string, string> }
  | { allow: string[] }
  | undefined;

/** What a path is matched with. */
type AnyRoute = Pick<Route, 'segments'> & { method: string };

/** The REST routes of the router's procedures, in its order. */
export function routesOf(router: AnyRouter): Route[] {
  return Array.from(proceduresOf(router).values()).flatMap((procedure) => {
    const { path: procedurePath, meta, input } = procedure;
    if (meta.openapi === undefined) return [];
    const { method, path } = meta.openapi;
    const segments = path.split('/').filter((segment) => segment !== '');
    const fields = input instanceof z.ZodObject ? Object.entries(input.shape) : [];
    const inQuery = (name: string) =>
      method === 'GET' ? !segments.includes(`{${name}}`) : meta.queryParameters?.includes(name);
    const inputs = fields.filter(([name]) => inQuery(name));
    const queryParameters = new Map(inputs.map(([name, schema]) => [name, parameterType(schema as z.ZodType)]));
    return [{ procedurePath, method: method as Route['method'], path, segments, meta, procedure, queryParameters }];
  });
}

function parameterType(schema: z.ZodType): ParameterType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return parameterType(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodBoolean) return 'boolean';
  return schema instanceof z.ZodNumber ? 'number' : 'string';
}

/**
 * The exact match of a path, with or without its trailing slash: it is case-sensitive, a parameter is percent-decoded
 * once, and one that is malformed or contains a control character matches nothing.
 */
export function matchRoute<Matched extends AnyRoute>(
  routes: readonly Matched[],
  method: string,
  path: string,
): Match<Matched> {
  const segments = path.split('/');
  if (segments.at(-1) === '') segments.pop();
  const asked = method === 'HEAD' ? 'GET' : method;
  const allow: string[] = [];
  for (const route of routes) {
    const pathParameters = parametersOf(route, segments);
    if (pathParameters === undefined) continue;
    if (route.method === asked) return { route, pathParameters };
    allow.push(...methodsOf(route));
  }
  return allow.length === 0 ? undefined : { allow: [...allow, 'OPTIONS'] };
}

function methodsOf({ method }: AnyRoute): string[] {
  return method === 'GET' ? ['GET', 'HEAD'] : [method];
}

/** `segments` begins with the text before the first slash. */
function parametersOf(route: AnyRoute, segments: string[]): Record<string, string> | undefined {
  if (!hasWordsOf(route, segments)) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of route.segments.entries()) {
    if (!isParameter(expected)) continue;
    const value = decode(segments[index + 1] ?? '');
    if (value === undefined) return undefined;
    parameters[expected.slice(1, -1)] = value;
  }
  return parameters;
}

function hasWordsOf(route: AnyRoute, segments: string[]): boolean {
  const { length } = route.segments;
  if (segments.length !== length + 1) return false;
  // From the end, where paths differ.
  for (let index = length - 1; index >= 0; index -= 1) {
    const expected = route.segments[index] ?? '';
    if (segments[index + 1] !== expected && !isParameter(expected)) return false;
  }
  return true;
}

function isParameter(segment: string): boolean {
  return segment.startsWith('{');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

function decode(segment: string): string | undefined {
  const value = decodeComponent(segment);
  return value === undefined || value === '' || CONTROL_CHARACTER.test(value) ? undefined : value;
}
