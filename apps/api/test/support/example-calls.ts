import { z } from 'zod';
import type { Procedure } from '../../src/procedures/meta.ts';
import { proceduresOf } from '../../src/procedures/procedure.ts';
import { appRouter } from '../../src/procedures/router.ts';
import { type Route, routesOf } from '../../src/rest/routes.ts';

/** One call of a procedure: the example of its schema, with names that the caller chose. */
export interface ExampleCall {
  /** `importSuppliers.get`. */
  procedure: string;
  kind: Procedure['type'];
  input: Record<string, unknown>;
  /** Where it is mounted on REST, if it is. */
  route: Route | undefined;
  /** Neither on REST nor for everyone: no import supplier may call it. */
  isStaffs: boolean;
}

/** What a call is about, in place of what the example names. */
export interface Names {
  /** By the field that names it, such as `external_account_number`. */
  fields: Readonly<Record<string, string>>;
  /** For each field that is an id: `id`, and those in paths. */
  id: string;
}

const routes = new Map(routesOf(appRouter).map((route) => [route.procedurePath, route]));
const segments = [...routes.values()].flatMap((route) => route.segments);
const ID_FIELDS = ['id', ...segments.flatMap((segment) => /^\{(\w+_id)\}$/.exec(segment)?.[1] ?? [])];

/** A call of every procedure of the router: of a new one too. */
export function exampleCalls({ fields, id }: Names): ExampleCall[] {
  const names = { ...Object.fromEntries(ID_FIELDS.map((field) => [field, id])), ...fields };
  return Array.from(proceduresOf(appRouter).values(), ({ path: procedure, type: kind, input }) => {
    const route = routes.get(procedure);
    const isStaffs = route === undefined && procedure !== 'session.whoAmI';
    return { procedure, kind, input: inputOf(input, names), route, isStaffs };
  });
}

function inputOf(schema: z.ZodType | undefined, names: Record<string, string>): Record<string, unknown> {
  if (schema instanceof z.ZodDefault) return inputOf(schema.unwrap() as z.ZodType, names);
  const { code: _ofProblems, ...anywhere } = names;
  const [example = {}] = schema?.meta()?.examples ?? [];
  // A place in somebody else's list is none in this one.
  const { after: _after, ...input } = JSON.parse(JSON.stringify(example), (field, value) => anywhere[field] ?? value);
  const known = schema instanceof z.ZodObject ? schema.shape : input;
  return { ...input, ...Object.fromEntries(Object.entries(names).filter(([field]) => field in known)) };
}
