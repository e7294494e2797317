import type { LineRefusal } from '@causeway/book';
import { problemsOf, type RefusedField, refusedFields } from '../refusals/refused-fields.ts';

/** Lines with the same problem: never a value. */
export interface Cluster {
  step: LineRefusal['step'];
  code: string;
  attr: string;
  accounts: number;
  samples: string[];
  /** The lines were accepted. */
  warning?: true;
}

/** A line, for the clusters. */
export interface ClusteredLine {
  external_account_number: string | undefined;
  refusal?: Pick<LineRefusal, 'step' | 'code' | 'errors'> | undefined;
  /** What was accepted nevertheless. */
  warnings?: readonly RefusedField[] | undefined;
}

const MAX_SAMPLES = 3;
/** A client chooses the names of undocumented fields. */
const MAX_CLUSTERS = 200;

/** Adds the problems of lines to those that were found before. */
export function cluster(before: readonly Cluster[], lines: readonly ClusteredLine[]): Cluster[] {
  const found = new Map(before.map((each) => [keyOf(each), { ...each, samples: [...each.samples] }]));
  const add = (each: Omit<Cluster, 'accounts' | 'samples'>, sample: string | undefined) => {
    const key = keyOf(each);
    const known = found.get(key) ?? { ...each, accounts: 0, samples: [] };
    if (!found.has(key) && found.size >= MAX_CLUSTERS) return;
    known.accounts += 1;
    if (sample !== undefined && known.samples.length < MAX_SAMPLES) known.samples.push(sample);
    found.set(key, known);
  };
  for (const { external_account_number: sample, refusal, warnings = [] } of lines) {
    if (refusal !== undefined) {
      const { step, code, errors } = refusal;
      for (const problem of problemsOf(code, refusedFields(errors))) add({ step, ...fieldOf(problem) }, sample);
    }
    for (const problem of warnings.length === 0 ? [] : problemsOf('', refusedFields(warnings))) {
      add({ step: 'validate', ...fieldOf(problem), warning: true }, sample);
    }
  }
  return [...found.values()];
}

function fieldOf(problem: string): Pick<Cluster, 'code' | 'attr'> {
  const [code = '', attr = ''] = problem.split(' ');
  return { code, attr };
}

const keyOf = ({ step, code, attr, warning }: Omit<Cluster, 'accounts' | 'samples'>) =>
  `${step} ${code} ${attr} ${warning === true}`;
