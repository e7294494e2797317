import { runTurn } from './run-turn.ts';
import type { Turn, TurnResult } from './turn.ts';

export type TurnAnswer = { result: TurnResult } | { error: string };

// The load generator: a separate process that runs one turn at a time for the bench and returns the result.
process.on('message', (turn: Turn) => {
  runTurn(turn).then(
    (result) => process.send?.({ result } satisfies TurnAnswer),
    (error: unknown) =>
      process.send?.({ error: error instanceof Error ? error.message : String(error) } satisfies TurnAnswer),
  );
});
process.once('disconnect', () => process.exit(0));
