import { Link } from '@tanstack/react-router';
import text from '../../components/text.module.css';
import { count } from '../../format/numbers.ts';
import { words } from '../../format/words.ts';
import { useTimeline } from './use-timeline.ts';

/** What happened to the e-mails to its customers, counted: `2 sent`. It leads to them. */
export function Emails({ code, number }: { code: string; number: string }) {
  const { data } = useTimeline(code, number);
  if (data === undefined) return '–';
  const states = Map.groupBy(
    data.flatMap(({ email }) => email?.state ?? []),
    (state) => state,
  );
  if (states.size === 0) return 'none';
  return (
    <Link to="/suppliers/$code/emails" params={{ code }} search={{ account: number }}>
      <span className={text.spoken}>E-mails: </span>
      {[...states].map(([state, all]) => `${count(all.length)} ${words(state.toLowerCase())}`).join(', ')}
    </Link>
  );
}
