import { ConfirmButton } from '../../components/dialog-button.tsx';
import type { OutputOf } from '../../data/ask.ts';
import { useAction } from '../../data/use-action.ts';
import { dateTime } from '../../format/times.ts';

export type Suppression = OutputOf<'emailSuppressions.list'>[number];

interface RemoveSuppressionProps {
  code: string;
  entry: Suppression;
  /** If it is shown. */
  address: string | null | undefined;
}

/** Takes an address off the suppression list, once that is confirmed. */
export function RemoveSuppression({ code, entry: { id, created_at }, address }: RemoveSuppressionProps) {
  const remove = useAction('emailSuppressions.remove');
  const name = address ?? `the address of ${dateTime(created_at)}`;
  return (
    <ConfirmButton
      label="Remove"
      variant="small"
      aria-label={`Remove ${name}`}
      title={`Remove ${name}`}
      perform={() => remove.mutateAsync({ code, id })}
    >
      <p>It gets e-mails of {code} again. Those that were not sent stay so, until somebody sends them again.</p>
    </ConfirmButton>
  );
}
