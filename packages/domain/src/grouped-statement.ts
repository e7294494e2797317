import { isConnectionFailure, isServerUnable, type Queryable, type SqlStatement, type Values } from '@causeway/db';

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

interface WaitingCall<Row> {
  id: string;
  json: string;
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
 * - `lone_records`: the `records` of a call that runs alone. Inside `calls`, a thousand of them would be parsed twice
 *   (2 ms)
 */
type Parameter = 'calls' | 'may_wait' | 'lone_records';

/**
 * Runs one statement for all concurrent calls: one round trip and one commit (staging at 64 connections: 2.6 times the
 * throughput). On an idle service a call does not wait. Each caller gets its own row, after the commit (undefined if
 * the statement returns none). If a statement fails, each of its calls is retried alone, so that none fails because of
 * its neighbour. A call that must be `alone` is not grouped. The exceptions are a lost connection, after which the
 * outcome is unknown, and a server that cannot write, which would fail them all.
 */
export function groupedStatement<Row extends GroupedRow>(statement: SqlStatement<Row, Parameter>) {
  const takesRecords = statement.parameters.includes('lone_records');
  const run = (queryable: Queryable, values: Values<Parameter>): Promise<Row[]> => queryable.query(statement, values);
  // By connection: calls within a transaction are not grouped with calls outside it.
  const queues = new WeakMap<Queryable, (call: WaitingCall<Row>) => void>();

  function enqueue(queryable: Queryable, call: WaitingCall<Row>): void {
    let add = queues.get(queryable);
    if (add === undefined) {
      const { sharing } = queryable;
      add = createQueue<Row>((calls) => {
        const all = `[${calls.map(({ json }) => json).join(',')}]`;
        const write = () => run(queryable, { calls: all, may_wait: false, lone_records: null });
        if (sharing === undefined) return write();
        const callers = calls.map(({ caller }) => caller);
        return sharing.within(callers, write);
      });
      queues.set(queryable, add);
    }
    add(call);
  }

  return async (queryable: Queryable, call: GroupedCall, how: { alone?: boolean } = {}): Promise<Row | undefined> => {
    const { id, records, ...fields } = call;
    const head = JSON.stringify({ id, ...fields });
    const rows = JSON.stringify(records ?? null);
    const alone = async () => (await run(queryable, { calls: `[${head}]`, may_wait: true, lone_records: rows }))[0];
    if (how.alone || head.length + rows.length > MAX_CALL_CHARACTERS) {
      return alone();
    }
    const json = takesRecords ? `${head.slice(0, -1)},"records":${rows}}` : head;
    const row = await new Promise<Row | undefined>((resolve, reject) =>
      enqueue(queryable, { id, json, caller: queryable.sharing?.current(), resolve, reject }),
    );
    return row?.busy ? alone() : row;
  };
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
