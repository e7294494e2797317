import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type OutputOf, untyped } from '../../data/ask.ts';
import { refusalText } from '../../data/refusal-text.ts';

export interface Texts {
  subject: string;
  text: string;
  html: string;
}

type Preview = OutputOf<'emailTemplates.preview'>;

interface PreviewInput {
  code: string;
  language: string;
  texts: Texts;
  isEnabled: boolean;
}

/** Nobody wants to be told at every letter. */
const REST_MS = 400;

/**
 * What an invented customer would get, once nothing was typed for a moment; the last good one while the texts cannot be
 * rendered. `faults` has what the service refuses, by field; `error` what is no field's fault.
 */
export function usePreview({ code, language, texts, isEnabled }: PreviewInput) {
  const rested = useRested(texts);
  const [last, setLast] = useState<Preview>();
  const query = useQuery({
    queryKey: ['emailTemplates.preview', code, language, rested],
    queryFn: async ({ signal }) => {
      const input = { code, language, ...rested };
      return (await untyped.mutation('emailTemplates.preview', input, { signal })) as Preview;
    },
    enabled: isEnabled,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    if (query.data !== undefined) setLast(query.data);
  }, [query.data]);
  const fields = query.error === null ? [] : refusalText(query.error).fields;
  const faults: Partial<Record<string, string>> = Object.fromEntries(fields.map(({ attr, detail }) => [attr, detail]));
  return { preview: query.data ?? last, faults, error: fields.length === 0 ? query.error : null };
}

function useRested(texts: Texts): Texts {
  const [rested, setRested] = useState(texts);
  useEffect(() => {
    const timer = setTimeout(() => setRested(texts), REST_MS);
    return () => clearTimeout(timer);
  }, [texts]);
  return rested;
}
