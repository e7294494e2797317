import { Link } from '@tanstack/react-router';
import { ask } from '../data/ask.ts';
import { useLive } from '../data/use-live.ts';
import { count, counted } from '../format/numbers.ts';
import text from './text.module.css';

/** The e-mails of a supplier that somebody has to look at, beside its other problems. Nothing without them. */
export function UndeliveredEmails({ code }: { code: string }) {
  const { data } = useLive(ask('customerEmails.countUnsettled', { code }));
  if (data === undefined) return null;
  const { refused, given_up, in_doubt } = data;
  const kinds = [
    [refused, 'refused'],
    [given_up, 'given up'],
    [in_doubt, 'in doubt'],
  ] as const;
  const all = refused + given_up + in_doubt;
  if (all === 0) return null;
  return (
    <p className={text.note}>
      <Link to="/suppliers/$code/emails" params={{ code }}>
        {counted(all, 'e-mail')} to customers
      </Link>{' '}
      {all === 1 ? 'needs' : 'need'} a look:{' '}
      {kinds
        .filter(([number]) => number > 0)
        .map(([number, kind]) => `${count(number)} ${kind}`)
        .join(', ')}
      .
    </p>
  );
}
