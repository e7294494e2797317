import { Row } from '../../components/stack.tsx';
import { StateBadge } from '../../components/state-badge.tsx';
import type { OutputOf } from '../../data/ask.ts';

type Match = OutputOf<'accountImports.find'>['matches'][number];

/** The state of an account in a list, and whether something of it is refused though it was created. */
export function AccountState({ of: { state, complete } }: { of: Pick<Match, 'state' | 'complete'> }) {
  return (
    <Row>
      <StateBadge state={state ?? 'NEVER_STAGED'} />
      {state === 'COMPLETED' && !complete && <StateBadge state="part refused" tone="attention" />}
    </Row>
  );
}
