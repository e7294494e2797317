const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;

/** What was not listened to so often in a row is left alone for so long: 1 s, 2 s, 4 s, .. half a minute. */
export const pauseAfter = (failures: number): number => Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));

/**
 * The import suppliers to whose e-mails the mail server does not listen, while it listens to others: each rests, and the
 * others continue. For all lanes of an instance: one of them at most tries such a supplier again.
 */
export interface SupplierRests {
  /** Whether its e-mails may be tried now. */
  mayTry(code: string, at: Date): boolean;
  begin(code: string): void;
  /** After `begin`, whatever happened. `isHeard`: of undefined it is not known. */
  end(code: string, isHeard: boolean | undefined, at: Date): void;
}

export function createSupplierRests(): SupplierRests {
  const resting = new Map<string, { failures: number; until: number }>();
  return {
    mayTry: (code, at) => (resting.get(code)?.until ?? 0) <= at.getTime(),
    begin(code) {
      const known = resting.get(code);
      if (known !== undefined) known.until = Infinity;
    },
    end(code, isHeard, at) {
      const failures = resting.get(code)?.failures ?? 0;
      if (isHeard) resting.delete(code);
      else if (isHeard === false) {
        resting.set(code, { failures: failures + 1, until: at.getTime() + pauseAfter(failures + 1) });
      } else if (failures > 0) resting.set(code, { failures, until: at.getTime() });
    },
  };
}
