import { useState } from 'react';
import { Button } from './button.tsx';

/** Copies a text; then says that it did. `name` says what it is: `Copy account number`. */
export function CopyButton({ text, name }: { text: string; name: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 2_000);
  };
  return (
    <Button variant="small" aria-label={`Copy ${name}`} onPress={() => void copy()}>
      <span aria-live="polite">{isCopied ? 'copied' : 'copy'}</span>
    </Button>
  );
}
