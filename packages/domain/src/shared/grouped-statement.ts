import { isConnectionFailure, isServerUnable, type Queryable, type SqlStatement } from '@causeway/db';

/** The input of one call; no two in one statement have the same `id`. */
export interface GroupedCall {
  id: string;
  /** The rows to write, if the statement accepts any. */
  records?: readonly unknown[];
  [field: string]: unknown;
}

/**
 * The row of one call in a grouped statement; `busy`: it did nothing, because it must be alone: another transaction has
 * locked what it writes, or its neighbours would wait for it.
 */
export interface GroupedRow {
  id: string;
  busy: boolean;
}

/** A call's input as a statement takes it. */
interface CallText {
  /** All but its records. */
  json: string;
  /** The elements of a JSON array. */
  records: string;
  recordCount: number;
}

interface WaitingCall<Row> extends CallText {
  id: string;
  /** Who it is for, if that is of interest. */
  caller: unknown;
  resolve(row: Row | undefined): void;
  reject(error: unknown): void;
}

// While they run, the next calls are collected. A statement that takes longer, perhaps waiting for a lock, no longer
// counts.
const STATEMENTS_AT_ONCE = 2;
const SLOW_AFTER_MS = 50;
const MAX_CALLS = 64;
// A large call runs alone: its neighbours would wait for it.
const MAX_CALL_CHARACTERS = 64_000;

/**
 * What a grouped statement takes:
 * - `calls`: the JSON array of the calls' inputs, no two with the same `id`
 * - `may_wait`: there is one call, which may wait for locks. Otherwise the statement skips locked rows, so that no call
 *   waits for its neighbour's lock.
 * - `records`: the JSON array of the records of all calls, one after the other: those of a call begin at its
 *   `first_record` and end at its `last_record`, from 1. Inside `calls` they would be parsed once more
 *   (docs/decisions/0002).
 */
type Parameter = 'calls' | 'may_wait' | 'records';

/**
 * Runs one statement for all concurrent calls: one round trip and one commit (staging at 64 connections: 2.6 times the
 * throughput). On an idle service a call does not wait. Each caller gets its own row, after the commit (undefined if
 * the statement returns none). If a statement fails, each of its calls is retried alone, so that none fails because of
 * its neighbour. A call that must be `alone` is not grouped. The exceptions are a lost connection, after which the
 * outcome is unknown, and a server that cannot write, which would fail them all.
 */
export function groupedStatement<Row extends GroupedRow>(statement: SqlStatement<Row, Parameter>) {
  // By connection: calls within a transaction are not grouped with calls outside it.
  const queues = new WeakMap<Queryable, (call: WaitingCall<Row>) => void>();
  const run = (queryable: Queryable, calls: readonly CallText[], mayWait: boolean): Promise<Row[]> =>
    queryable.query(statement, { ...valuesOf(calls), may_wait: mayWait });

  function enqueue(queryable: Queryable, call: WaitingCall<Row>): void {
    let add = queues.get(queryable);
    if (add === undefined) {
      const { sharing } = queryable;
      add = createQueue<Row>((calls) => {
        const write = () => run(queryable, calls, false);
        if (sharing === undefined) return write();
        const callers = calls.map(({ caller }) => caller);
        return sharing.within(callers, write);
      });
      queues.set(queryable, add);
    }
    add(call);
  }

  return async (queryable: Queryable, call: GroupedCall, how: { alone?: boolean } = {}): Promise<Row | undefined> => {
    const text = textOf(call);
    const alone = async () => (await run(queryable, [text], true))[0];
    if (how.alone || text.json.length + text.records.length > MAX_CALL_CHARACTERS) {
      return alone();
    }
    const row = await new Promise<Row | undefined>((resolve, reject) =>
      enqueue(queryable, { id: call.id, ...text, caller: queryable.sharing?.current(), resolve, reject }),
    );
    return row?.busy ? alone() : row;
  };
}

function textOf(call: GroupedCall): CallText {
  const { records } = call;
  if (records === undefined) return { json: JSON.stringify(call), records: '', recordCount: 0 };
  const json = JSON.stringify({ ...call, records: undefined });
  return { json, records: JSON.stringify(records).slice(1, -1), recordCount: records.length };
}

function valuesOf(calls: readonly CallText[]): { calls: string; records: string } {
  let last = 0;
  const placed = calls.map(({ json, recordCount }) => {
    if (recordCount === 0) return json;
    const first = last + 1;
    last += recordCount;
    return `${json.slice(0, -1)},"first_record":${first},"last_record":${last}}`;
  });
  const records = calls.filter(({ recordCount }) => recordCount > 0).map((call) => call.records);
  return { calls: `[${placed.join(',')}]`, records: `[${records.join(',')}]` };
}

function createQueue<Row extends GroupedRow>(write: (calls: WaitingCall<Row>[]) => Promise<Row[]>) {
  let waiting: WaitingCall<Row>[] = [];
  let running = 0;
  let scheduled = false;

  function takeGroup(): WaitingCall<Row>[] {
    const group = new Map<string, WaitingCall<Row>>();
    waiting = waiting.filter((call) => {
      const stays = group.size >= MAX_CALLS || group.has(call.id);
      if (!stays) {
        group.set(call.id, call);
      }
      return stays;
    });
    return [...group.values()];
  }

  async function writeGroup(group: WaitingCall<Row>[]): Promise<void> {
    try {
      const rows = new Map((await write(group)).map((row) => [row.id, row]));
      for (const { id, resolve } of group) {
        resolve(rows.get(id));
      }
    } catch (error) {
      if (group.length === 1 || isConnectionFailure(error) || isServerUnable(error)) {
        for (const { reject } of group) {
          reject(error);
        }
      } else {
        // Not awaited: later calls need not wait for them.
        void Promise.all(group.map((call) => writeGroup([call])));
      }
    }
  }

  function start(): void {
    scheduled = false;
    while (waiting.length > 0 && running < STATEMENTS_AT_ONCE) {
      running += 1;
      let counts = true;
      const leave = () => {
        if (counts) {
          counts = false;
          running -= 1;
          start();
        }
      };
      const timer = setTimeout(leave, SLOW_AFTER_MS);
      void writeGroup(takeGroup()).finally(() => {
        clearTimeout(timer);
        leave();
      });
    }
  }

  return (call: WaitingCall<Row>): void => {
    waiting.push(call);
    if (!scheduled) {
      scheduled = true;
      // Runs after the other requests of this turn of the event loop have been read.
      setImmediate(start);
    }
  };
}
