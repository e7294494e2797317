import { refusalText } from '../data/refusal-text.ts';
import styles from './refusal.module.css';
import { Sentence } from './sentence.tsx';

/** Why a call was refused, beside what was pressed: `<Refusal of={pause.error} />`. Nothing without an error. */
export function Refusal({ of: error }: { of: unknown }) {
  if (error === null || error === undefined) return null;
  const { sentence, fields, code } = refusalText(error);
  return (
    <div role="alert" className={styles.refusal}>
      <p>
        <Sentence>{sentence}</Sentence> {code !== undefined && <a href={`/docs/errors#${code}`}>{code}</a>}
      </p>
      {fields.length > 0 && (
        <ul>
          {fields.map(({ attr, detail }) => (
            <li key={attr}>
              <code>{attr}</code> {detail !== sentence && <Sentence>{detail}</Sentence>}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
