import { NotTheService } from './not-the-service.ts';

/** Tokens, keys and refusals are small. In bytes. */
const MAX_SMALL_ANSWER = 1_000_000;

/** A small answer, read whole. Throws a NotTheService once more has come than any has. */
export async function boundedText(response: Response, address: string): Promise<string> {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let [text, bytes] = ['', 0];
  for (;;) {
    const { value } = (await reader?.read()) ?? {};
    if (value === undefined) return text + decoder.decode();
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
    if (bytes <= MAX_SMALL_ANSWER) continue;
    await reader?.cancel();
    throw NotTheService.becauseOfLength(address, MAX_SMALL_ANSWER);
  }
}
