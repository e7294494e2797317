import { FUTURE, NOW, TODAY } from './content.ts';

type Fields = Record<string, unknown>;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** The day of the call by its name: it may be another one soon. */
export function dayAsShown(day: unknown): unknown {
  const yesterday = new Date(Date.now() - DAY_MS).toISOString().slice(0, 10);
  return typeof day === 'string' && day >= yesterday && day < FUTURE ? TODAY : day;
}

/** A note as the model has it, from its row. */
export function noteAsShown(note: Fields): Fields {
  const { body, created_at, is_generated, ...shown } = present(note);
  const time = String(created_at).replace('+00:00', 'Z');
  const wanted = is_generated ? { moved: movedIn(String(body)) } : { body };
  return { ...shown, created_at: dayAsShown(time.slice(0, 10)) === TODAY ? NOW : time, ...wanted };
}

/** `Transaction 1: sent with 2019-05-01, added on 2025-11-01.` */
function movedIn(body: string): [string, string, unknown][] {
  const lines = [...body.matchAll(/^Transaction (\S+): .*?(\d{4}-\d\d-\d\d).*?(\d{4}-\d\d-\d\d)/gm)];
  if (!body.startsWith(`${lines.length} `)) throw new Error(`The note counts otherwise: ${body}`);
  return lines.map(([, id = '', sent = '', stored]) => [id, sent, dayAsShown(stored)]);
}

export function transactionAsShown(transaction: Fields): Fields {
  const { description, transaction_date, ...shown } = present(transaction);
  const explains = [shown.original_transaction_date, transaction_date].every((day) =>
    String(description).includes(String(day)),
  );
  return {
    ...shown,
    transaction_date: dayAsShown(transaction_date),
    ...(description === undefined ? {} : { explains }),
  };
}

/** Without what the vendor told. */
export function instructionAsShown({ details, ...instruction }: Fields): Fields {
  const { last4 } = details as Fields;
  return last4 === '4242' ? instruction : { ...instruction, details };
}

/** A column without a value is a field that was not sent; a mark that is not set is absent. */
function present(fields: Fields): Fields {
  const unmarked = ['is_historical', 'is_generated', 'is_archived'];
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => value !== null && value !== undefined && !(unmarked.includes(name) && value === false),
    ),
  );
}
