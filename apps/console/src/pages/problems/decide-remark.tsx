import { ConfirmButton } from '../../components/dialog-button.tsx';
import type { InputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { useMayChange } from '../../data/use-role.ts';
import { words } from '../../format/words.ts';
import type { Problem } from './problem.ts';

type Decision = InputOf<'importSuppliers.decideRemark'>['decision'];

/** What each decision is called, and what it means. */
const CHOICES: readonly { decision: Decision; label: string; means: string }[] = [
  {
    decision: 'ACCEPTED',
    label: 'Accept',
    means:
      'The data is right as it is, in these accounts and in later ones: it no longer keeps the migration from being ready.',
  },
  {
    decision: 'FIXED',
    label: 'Mark as fixed',
    means: 'What was seen until now was fixed. If it is seen again, it is open again.',
  },
  { decision: 'OPEN', label: 'Take back', means: 'The decision is taken back: somebody has to decide again.' },
];

/** Decides about doubtful data that was accepted, or takes the decision back. */
export function DecideRemark({ supplier, problem }: { supplier: string; problem: Problem }) {
  const decide = useAction('importSuppliers.decideRemark');
  const mayChange = useMayChange();
  const { operation, code, attr, decision: known } = problem;
  if (!mayChange) return null;
  const remark = code as InputOf<'importSuppliers.decideRemark'>['remark'];
  return CHOICES.filter(({ decision }) => (known === null) === (decision !== 'OPEN')).map(
    ({ decision, label, means }) => (
      <ConfirmButton
        key={decision}
        label={label}
        title={`${label}: ${words(code)}`}
        perform={(reason) => decide.mutateAsync({ code: supplier, operation, remark, attr, decision, reason })}
        reason="required"
      >
        {means} Nothing of any account changes. The list of problems and the audit trail have your reason.
      </ConfirmButton>
    ),
  );
}
