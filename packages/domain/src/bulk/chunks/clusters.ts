import type { LineRefusal } from '@causeway/book';
import { documentedPart, problemsOf, type RefusedField, refusedFields } from '../../shared/refused-fields.ts';

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
const MAX_CLUSTERS = 200;
/** Of a chunk: a client chooses the names, and each of its lines may have others. */
const MAX_UNDOCUMENTED_FIELDS = 20;
/** Stands for the other ones. */
const OTHER_FIELDS = '…';

/** Adds the problems of lines to those that were found before (behaviour 21.5.4). */
export function cluster(before: readonly Cluster[], lines: readonly ClusteredLine[]): Cluster[] {
  const found = new Map(before.map((each) => [keyOf(each), { ...each, samples: [...each.samples] }]));
  let undocumentedFields = before.filter(isUndocumentedField).length;
  for (const line of lines) {
    const added = new Set<string>();
    for (const problem of problemsOfLine(line)) {
      const isOther = isUndocumentedField(problem) && undocumentedFields >= MAX_UNDOCUMENTED_FIELDS;
      const each = isOther && !found.has(keyOf(problem)) ? { ...problem, attr: OTHER_FIELDS } : problem;
      const key = keyOf(each);
      if (added.has(key) || (!found.has(key) && found.size >= MAX_CLUSTERS)) continue;
      added.add(key);
      if (!found.has(key) && isUndocumentedField(each)) undocumentedFields += 1;
      found.set(key, withLine(found.get(key) ?? { ...each, accounts: 0, samples: [] }, line));
    }
  }
  return [...found.values()];
}

type Problem = Omit<Cluster, 'accounts' | 'samples'>;

/** None twice, unless as an error and a warning. */
function problemsOfLine({ refusal, warnings = [] }: ClusteredLine): Problem[] {
  const problems: Problem[] = [];
  if (refusal !== undefined) {
    const { step, code, errors } = refusal;
    for (const problem of problemsOf(code, refusedFields(errors))) problems.push({ step, ...fieldOf(problem) });
  }
  for (const problem of warnings.length === 0 ? [] : problemsOf('', refusedFields(warnings))) {
    problems.push({ step: 'validate', ...fieldOf(problem), warning: true });
  }
  return problems;
}

function withLine(known: Cluster, { external_account_number: sample }: ClusteredLine): Cluster {
  known.accounts += 1;
  if (sample !== undefined && known.samples.length < MAX_SAMPLES) known.samples.push(sample);
  return known;
}

const isUndocumentedField = ({ code, attr }: Problem) => code === 'undocumented_field' && attr !== OTHER_FIELDS;

/** As many names as clients like are known apart only where they are the problem. */
function fieldOf(problem: string): Pick<Cluster, 'code' | 'attr'> {
  const [code = '', attr = ''] = problem.split(' ');
  return { code, attr: code === 'undocumented_field' ? attr : documentedPart(attr) };
}

const keyOf = ({ step, code, attr, warning }: Problem) => `${step} ${code} ${attr} ${warning === true}`;
