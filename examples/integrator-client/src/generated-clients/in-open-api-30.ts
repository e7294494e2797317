type Part = Record<string, unknown>;

/** Of OpenAPI 3.1 only: they say nothing that a type has. */
const LEFT_OUT = new Set([
  'propertyNames',
  'patternProperties',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  'webhooks',
  'x-extensible-enum',
]);

/**
 * The document in OpenAPI 3.0, for generators that know nothing newer: `null` becomes `nullable`, `const` an enumeration
 * of one, and `examples` of a schema its first example.
 */
export function inOpenApi30(document: Part): Part {
  const { license: _identified, ...info } = document.info as Part;
  return { ...(projected(document) as Part), openapi: '3.0.3', info };
}

function projected(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(projected);
  if (!isObject(value)) return value;
  if (typeof value.$ref === 'string') return { $ref: value.$ref };
  const entries = Object.entries(value).filter(([key]) => !LEFT_OUT.has(key));
  const {
    const: only,
    examples,
    ...part
  } = Object.fromEntries(entries.map(([key, one]) => [key, projected(one)])) as Part;
  return withoutNull({
    ...part,
    ...(only !== undefined && (isObject(only) ? { const: only } : { enum: [only] })),
    ...(Array.isArray(examples) ? { example: examples[0] } : examples !== undefined && { examples }),
  });
}

function withoutNull(schema: Part): Part {
  if (Array.isArray(schema.type)) {
    const [type, ...more] = schema.type.filter((one) => one !== 'null');
    const { type: _several, ...rest } = schema;
    return { ...rest, ...(more.length === 0 && { type }), ...(schema.type.includes('null') && { nullable: true }) };
  }
  for (const key of ['anyOf', 'oneOf']) {
    const choices = schema[key];
    if (!Array.isArray(choices) || !choices.some((one) => one.type === 'null')) continue;
    const others = choices.filter((one) => one.type !== 'null');
    const { [key]: _choices, ...rest } = schema;
    return { ...rest, ...(others.length === 1 ? { allOf: others } : { [key]: others }), nullable: true };
  }
  return schema;
}

function isObject(value: unknown): value is Part {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
