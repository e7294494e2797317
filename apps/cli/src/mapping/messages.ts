import { Failure } from '../frame/failure.ts';
import type { MappingResult } from './relations.ts';

/** The first word of the program's arguments in a process that runs a mapping, and in its thread. */
export const MAPPING_PROCESS = 'run-mapping';

/** What a mapping may use before it is stopped. */
export interface MappingLimits {
  minutes: number;
  /** Of the process that runs it. */
  memoryMb: number;
  /** That its tables and temporary files take. */
  diskMb: number;
}

export const DEFAULT_LIMITS: MappingLimits = { minutes: 30, memoryMb: 1024, diskMb: 20_480 };

/** @throws Failure where the flag `--mapping-minutes` gives no time */
export function limitsNamed(minutes: string | undefined): MappingLimits {
  if (minutes === undefined) return DEFAULT_LIMITS;
  if (/^\d{1,4}(?:\.\d+)?$/.test(minutes) && Number(minutes) > 0)
    return { ...DEFAULT_LIMITS, minutes: Number(minutes) };
  throw new Failure('usage', `--mapping-minutes ${minutes}: give a number of minutes, such as 5 or 0.5.`);
}

/** What a query is called in sentences. */
export const QUERY_NAME = 'The query';

/** One SELECT, and how many of its rows are told. */
export interface Query {
  text: string;
  rows: number;
}

/** The first rows of a SELECT, and how many more there are. */
export interface QueryAnswer {
  columns: string[];
  rows: (string | null)[][];
  leftOut: number;
}

/** What a process is told to do. */
export interface MappingTask {
  databaseFile: string;
  mapping: { name: string; text: string };
  limits: MappingLimits;
  /** What is asked in place of the mapping's relations. */
  query?: Query | undefined;
  /** Names that a view may not have, since no kind is called so, and the kinds that may be meant. */
  viewsByField: Readonly<Record<string, readonly string[]>>;
}

/** What a process tells: the last message says how it ended. */
export type MappingMessage =
  | { type: 'step'; line: number; what: string }
  | { type: 'done'; result: MappingResult }
  | { type: 'answered'; answer: QueryAnswer }
  | { type: 'failed'; sentence: string; lines: readonly string[] }
  | { type: 'limit'; limit: keyof MappingLimits }
  | { type: 'broken'; message: string; stack: string | undefined };
