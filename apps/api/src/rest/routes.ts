import type { AnyRouter } from '@trpc/server';
import { z } from 'zod';
import type { ProcedureMeta } from '../trpc.ts';

/** How the text of a query parameter is to be read. */
export type ParameterType = 'string' | 'number' | 'boolean';

/** One REST route, read off a procedure's meta. */
export interface Route {
  /** The procedure's tRPC path, `dataImport.importNotes`. */
  procedurePath: string;
  method: 'GET' | 'POST';
  /** The documented path, `/v1/.../{import_supplier_code}/`. */
  path: string;
  segments: string[];
  meta: ProcedureMeta;
  queryParameters: ReadonlyMap<string, ParameterType>;
}

/** What a request's path leads to: a route and its decoded parameters, or the methods that the path has. */
export type Match = { route: Route; pathParameters: Record<string, string> } | { allow: string[] } | undefined;

/** The REST routes of the router's procedures, in its order. */
export function routesOf(router: AnyRouter): Route[] {
  return Object.entries(router._def.procedures).flatMap(([procedurePath, procedure]) => {
    const { _def } = procedure as { _def: { meta?: ProcedureMeta; inputs: z.ZodObject[] } };
    const openapi = _def.meta?.openapi;
    if (_def.meta === undefined || openapi === undefined) {
      return [];
    }
    const segments = openapi.path.split('/').filter((segment) => segment !== '');
    const fields = Object.entries(_def.inputs[0]?.shape ?? {});
    const inQuery = (name: string) =>
      openapi.method === 'GET' ? !segments.includes(`{${name}}`) : _def.meta?.queryParameters?.includes(name);
    return [
      {
        procedurePath,
        method: openapi.method as Route['method'],
        path: openapi.path,
        segments,
        meta: _def.meta,
        queryParameters: new Map(
          fields.filter(([name]) => inQuery(name)).map(([name, schema]) => [name, parameterType(schema as z.ZodType)]),
        ),
      },
    ];
  });
}

function parameterType(schema: z.ZodType): ParameterType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) {
    return parameterType(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodBoolean) {
    return 'boolean';
  }
  return schema instanceof z.ZodNumber ? 'number' : 'string';
}

/**
 * The exact match of a path, with or without its trailing slash: letter case counts, a parameter is percent-decoded
 * once, and one that is malformed or holds a control character names nothing.
 */
export function matchRoute(routes: readonly Route[], method: string, path: string): Match {
  const segments = path.replace(/\/$/, '').split('/').slice(1);
  const matches = routes.flatMap((route) => {
    const pathParameters = parametersOf(route, segments);
    return pathParameters === undefined ? [] : [{ route, pathParameters }];
  });
  if (matches.length === 0) {
    return undefined;
  }
  const asked = method === 'HEAD' ? 'GET' : method;
  return (
    matches.find(({ route }) => route.method === asked) ?? { allow: matches.flatMap(({ route }) => methodsOf(route)) }
  );
}

function methodsOf({ method }: Route): string[] {
  return method === 'GET' ? ['GET', 'HEAD', 'OPTIONS'] : [method, 'OPTIONS'];
}

function parametersOf(route: Route, segments: string[]): Record<string, string> | undefined {
  if (segments.length !== route.segments.length) {
    return undefined;
  }
  const parameters: Record<string, string> = {};
  for (const [index, expected] of route.segments.entries()) {
    const segment = segments[index] ?? '';
    if (expected.startsWith('{')) {
      const value = decode(segment);
      if (value === undefined) {
        return undefined;
      }
      parameters[expected.slice(1, -1)] = value;
    } else if (segment !== expected) {
      return undefined;
    }
  }
  return parameters;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it refuses
const CONTROL_CHARACTER = /[\u0000-\u001f\u007f]/;

function decode(segment: string): string | undefined {
  try {
    const value = decodeURIComponent(segment);
    return value === '' || CONTROL_CHARACTER.test(value) ? undefined : value;
  } catch {
    return undefined;
  }
}
