import { type BookedAccount, JOURNEY_STATEMENTS, JOURNEY_TRANSACTIONS, penceOf } from './book.ts';
import type { Answer } from './connection.ts';
import type { ScenarioName, Turn } from './turn.ts';

/** One iteration: an account, and how to make its calls. */
export interface Iteration {
  index: number;
  number: string;
  booked: BookedAccount;
  turn: Turn;
  /** Whether the answers' contents are checked as well as their statuses. */
  thorough: boolean;
  post(step: string, path: string, body: string): Promise<Answer>;
  get(step: string, path: string): Promise<Answer>;
  /** Notes a wrong answer. */
  wrong(step: string, answer: Answer): void;
}

type Scenario = (iteration: Iteration) => Promise<void>;
type Fields = Record<string, unknown>;

const BASE = '/v1/data-import';

const validate: Scenario = async (iteration) => {
  const payload = iteration.booked.account(iteration.number);
  const answer = await iteration.post('validate', `${BASE}/validate-account/`, payload);
  expect(iteration, 'validate', answer, 200, (body) => {
    const sent = JSON.parse(payload) as Fields;
    return isSame(body, { account_type: 'DOMESTIC', communication_preference: 'ONLINE', ...sent });
  });
};

const stage: Scenario = async (iteration) => {
  const { booked, number, turn } = iteration;
  const path = `${BASE}/account-import-process/create-or-update/`;
  const answer = await iteration.post('stage', path, booked.account(number));
  expect(iteration, 'stage', answer, 201, (body) =>
    isSame(body, { import_supplier: turn.importSupplier, external_account_number: number }),
  );
};

async function createAccount(iteration: Iteration): Promise<string> {
  const { number, turn } = iteration;
  const body = JSON.stringify({
    import_supplier_code: turn.importSupplier,
    external_account_number: number,
    operations_team_name: turn.operationsTeam,
  });
  const answer = await iteration.post('process', `${BASE}/account-import-process/process/`, body);
  const created = /^\{"service_account_number":"(A-[0-9A-HJKMNP-TV-Z]{8})"[,}]/.exec(answer.body)?.[1];
  if (answer.status !== 201 || created === undefined) iteration.wrong('process', answer);
  return created ?? '';
}

const notes: Scenario = async (iteration) => {
  const answer = await iteration.post('notes', `${BASE}/notes/create/`, iteration.booked.notes(iteration.number));
  expect(iteration, 'notes', answer, 201, (body) => everyStatus(body, 'NOTE_CREATION_SUCCESS', 2));
};

const transactions: Scenario = async (iteration) => {
  const { booked, number } = iteration;
  const answer = await iteration.post('transactions', `${BASE}/transactions/create/`, booked.transactions(number));
  expect(iteration, 'transactions', answer, 201, ({ results }) => {
    const amounts = (results as { transaction_data: { amount: string } }[]).map(({ transaction_data }) =>
      Math.round(Number(transaction_data.amount) * 100),
    );
    const pence = amounts.reduce((sum, amount) => sum + amount, 0);
    const isComplete = everyStatus(results, 'TRANSACTION_ADDED_TO_ACCOUNT', JOURNEY_TRANSACTIONS);
    return isComplete && pence === penceOf(iteration.index);
  });
};

const statements: Scenario = async (iteration) => {
  const { booked, number } = iteration;
  const answer = await iteration.post('statements', `${BASE}/historical-statements/create/`, booked.statements(number));
  expect(iteration, 'statements', answer, 201, (body) => {
    const isComplete = (body.statements as unknown[]).length === JOURNEY_STATEMENTS;
    return isComplete && isSame(body, JSON.parse(booked.statements(number)));
  });
};

async function readStatus(iteration: Iteration): Promise<string> {
  const { number, turn } = iteration;
  const answer = await iteration.get('status', `${BASE}/account-transfer-status/${turn.importSupplier}/${number}/`);
  const completed = /^\{"status":"COMPLETED","service_account_number":"(A-[^"]+)"\}$/.exec(answer.body)?.[1];
  if (answer.status !== 200 || completed === undefined) iteration.wrong('status', answer);
  return completed ?? '';
}

/** The whole migration of one account. */
const journey: Scenario = async (iteration) => {
  await validate(iteration);
  await stage(iteration);
  const created = await createAccount(iteration);
  await notes(iteration);
  await transactions(iteration);
  await statements(iteration);
  await confirm(iteration, created);
};

async function confirm(iteration: Iteration, created: string): Promise<void> {
  const shown = await readStatus(iteration);
  if (shown !== created) iteration.wrong('status', { status: 0, body: `${created} was created, ${shown} is shown` });
}

export const SCENARIOS: Record<ScenarioName, Scenario> = { journey, validate, stage };

function expect(
  iteration: Iteration,
  step: string,
  answer: Answer,
  status: number,
  check: (body: Fields) => boolean,
): void {
  if (answer.status !== status || (iteration.thorough && !check(JSON.parse(answer.body)))) {
    iteration.wrong(step, answer);
  }
}

function everyStatus(results: unknown, status: string, count: number): boolean {
  return Array.isArray(results) && results.length === count && results.every((result) => result.status === status);
}

/** Deep equality, regardless of key order. */
function isSame(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSame((one as Fields)[key], (other as Fields)[key]))
  );
}
