import type { Random } from '@causeway/testing';

/** Values that have broken services before. */
const NASTY: readonly unknown[] = [
  ...[
    null,
    '',
    ' ',
    0,
    -0,
    -1,
    1e308,
    1e-7,
    0.1 + 0.2,
    2 ** 53,
    100_000_000_000,
    true,
    false,
    [],
    {},
    [[]],
    [null],
    {},
  ],
  ...['\u0000', 'a\u0000b', '\ud800', '\udfff', '\u202e', '\ufeff', 'ﬀ', '😀'.repeat(40), 'x'.repeat(70_000)],
  ...[
    '2026-02-30',
    '0000-00-00',
    '2026-01-01T00:00:00+01:00',
    '1e3',
    'NaN',
    'null',
    '-0.00',
    '12345678901234567890.12',
  ],
  ...['../../etc/passwd', '%2e%2e/x', 'http://x/y', "' OR 1=1 --", '$(id)', '__proto__', 'constructor'],
];

/** A copy of a JSON value with one to three things about it changed. */
export function mutateValue(random: Random, value: unknown): unknown {
  let mutated = structuredClone(value);
  for (let times = random.integer(1, 3); times > 0; times -= 1) mutated = mutateOnce(random, mutated);
  return mutated;
}

function mutateOnce(random: Random, value: unknown): unknown {
  const spots = spotsOf(value);
  if (spots.length === 0) return random.pick(NASTY);
  const { parent, key } = random.pick(spots);
  const items = parent as Record<string | number, unknown>;
  switch (random.integer(0, 5)) {
    case 0:
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete items[key];
      break;
    case 1:
      if (Array.isArray(parent)) parent.push(structuredClone(items[key]));
      else items[`${key}_`] = items[key];
      break;
    case 2:
      items[key] = [items[key]];
      break;
    case 3:
      items[key] = String(items[key]);
      break;
    default:
      items[key] = structuredClone(random.pick(NASTY));
  }
  return value;
}

/** Every place of a value that can be changed: a container and a key in it. */
function spotsOf(value: unknown): { parent: object; key: string | number }[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? [...value.keys()] : Object.keys(value);
  const inner = Object.values(value).flatMap(spotsOf);
  return [...keys.map((key) => ({ parent: value, key })), ...inner];
}

/** Bytes that are almost this JSON text, or that only a careless parser accepts. */
export function mutateText(random: Random, text: string): Buffer {
  const bytes = Buffer.from(text);
  const at = random.integer(0, Math.max(0, bytes.length - 1));
  switch (random.integer(0, 9)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      bytes[at] = random.integer(0, 255);
      return bytes;
    case 2:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from([random.integer(0, 255)]), bytes.subarray(at)]);
    case 3:
      return Buffer.from(`\ufeff${text}`);
    case 4:
      return Buffer.from(`${text}${text}`);
    case 5:
      return Buffer.from(text.replace(/\}$/, ',"import_supplier":"TWICE","import_supplier":"TWICE"}'));
    case 6:
      return Buffer.from(text.replace(/\}$/, ',"__proto__":{"admin":true}}'));
    case 7:
      return Buffer.from(`${'['.repeat(2_000)}${']'.repeat(2_000)}`);
    case 8:
      return Buffer.from(text, 'utf16le');
    default:
      return Buffer.from(text.replaceAll('"', "'"));
  }
}
