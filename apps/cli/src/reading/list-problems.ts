import { describeField } from '@causeway/book';
import { type BulkProblem, LIMITS, type Problem } from '@causeway/contracts';
import type { Context, Result } from '../frame/define-command.ts';
import { Failure } from '../frame/failure.ts';
import { summaryLines } from '../jobs/describe-problems.ts';
import { readProblems } from '../jobs/job-calls.ts';
import { openService, pathOf, type Service } from '../session/open-service.ts';

interface Input {
  options: { supplier?: string; job?: string };
}

/** Why accounts are refused: by kind and field, with what the field is, or what the code means. Never a value. */
export async function listProblems(context: Context, { options }: Input): Promise<Result> {
  const { output } = context;
  const { supplier, job } = options;
  const service = await openService(context);
  const problems = job !== undefined ? await readProblems(service, job) : await ofSupplier(service, supplier);
  for (const problem of problems) output.event('problem', problem);
  if (problems.length === 0) output.say('No problems.');
  const document = output.form === 'json-lines' ? { problems: problems.length } : { problems };
  return { document, lines: summaryLines(problems, output.columns), ending: endingOf(problems) };
}

const endingOf = (problems: readonly { refused: boolean }[]) =>
  problems.some(({ refused }) => refused) ? ('refused' as const) : ('done' as const);

type DescribedProblem = Problem & Pick<BulkProblem, 'description'>;

async function ofSupplier(service: Service, supplier: string | undefined): Promise<DescribedProblem[]> {
  if (supplier === undefined) throw new Failure('usage', 'Whose problems? Say --supplier <code>, or --job <id>.');
  const problems = await service.get<Problem[]>(`problems/${pathOf(supplier)}?limit=${LIMITS.problems}`);
  return problems.map((problem) => ({ ...problem, description: describeField(problem.operation, problem.attr) }));
}
