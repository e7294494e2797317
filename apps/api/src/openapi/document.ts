import {
  AlreadyImportedErrorBody,
  BookLine,
  BulkPart,
  DryRunErrorBody,
  ErrorBody,
  Event,
  ManifestLine,
  ObtainTokenRefusal,
  ObtainTokenRequest,
  ObtainTokenResponse,
  ReconciliationReport,
  TransactionImportErrorBody,
} from '@causeway/contracts';
import type { AnyProcedure } from '@trpc/server';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import type { z } from 'zod';
import { createDocument as documentOf, type oas31 } from 'zod-openapi';
import { FILE_ROUTES } from '../bulk/file-routes.ts';
import { documentedBy } from '../procedures/procedure.ts';
import { appRouter } from '../procedures/router.ts';
import { API_VERSION } from '../rest/api-version.ts';
import { routesOf } from '../rest/routes.ts';
import { HEADERS, PARAMETERS } from './components.ts';
import { sharedErrorExamples, sharedResponses } from './errors.ts';
import { publishFileOperation } from './file-operations.ts';
import { integratorsGuide } from './guide.ts';
import { OBTAIN_TOKEN_PATH, obtainTokenPath } from './obtain-token.ts';
import { publishOperation } from './operations.ts';
import { forGenerators, publishSchemas } from './schemas.ts';
import { publishedWebhooks } from './webhooks.ts';

const TAGS = [
  { name: 'Authentication', description: 'Exchange an API key for an access token, over GraphQL.' },
  { name: 'Accounts', description: 'Validate an account, stage it, and create it: one account per request.' },
  { name: 'Account data', description: 'Add data to an account once it is created.' },
  { name: 'Bulk jobs', description: 'A whole book by one upload: tried before it counts, then moved by the service.' },
  {
    name: 'Reconciliation',
    description: 'Prove what arrived: lodge what the source has, and compare it with what is stored, to the penny.',
  },
  { name: 'Webhooks', description: 'Be told: events are sent to your own endpoints, signed.' },
  { name: 'Reading back', description: 'What is stored of an account, as it was sent.' },
  { name: 'Events', description: 'What happened to your accounts, jobs and import suppliers, one by one.' },
  { name: 'Status', description: 'The progress of one account, and of all accounts of an import supplier.' },
];

const ACCESS_TOKEN: oas31.SecuritySchemeObject = {
  type: 'apiKey',
  in: 'header',
  name: 'Authorization',
  description:
    'The access token that `ObtainToken` returns, valid for 60 minutes. Three spellings of the header are accepted: ' +
    'the bare token, `Token <token>` and `Bearer <token>`. An API key is not a token: exchange it first.',
};

/**
 * The published document, OpenAPI 3.1.1 (behaviour 4): what trpc-to-openapi generates from the router, corrected where
 * it lacks or loses information (behaviour 13.1), and ObtainToken, which is GraphQL. Each call builds a new document.
 */
export function createDocument(): oas31.OpenAPIObject {
  const routes = routesOf(appRouter);
  const document = generate();
  document.info.description = integratorsGuide(routes);
  document.tags = TAGS;
  document.security = [{ AccessToken: [] }];
  const generatedPaths = document.paths ?? {};
  const schemas = { ...otherSchemas(), ...document.components?.schemas };
  document.paths = { [OBTAIN_TOKEN_PATH]: obtainTokenPath() };
  for (const route of routes) {
    const method = route.method === 'GET' ? 'get' : 'post';
    const operation = generatedPaths[route.path.replace(/\/$/, '')]?.[method];
    if (operation === undefined) {
      throw new Error(`trpc-to-openapi has generated nothing for ${route.method} ${route.path}`);
    }
    const others = document.paths[route.path];
    document.paths[route.path] = { ...others, [method]: publishOperation(schemas, route, operation) };
  }
  for (const route of FILE_ROUTES) {
    document.paths[route.path] = { [route.method.toLowerCase()]: publishFileOperation(route) };
  }
  document.webhooks = publishedWebhooks();
  document.components = {
    securitySchemes: { AccessToken: ACCESS_TOKEN },
    schemas: publishSchemas(schemas),
    responses: sharedResponses(),
    headers: HEADERS,
    parameters: PARAMETERS,
    examples: sharedErrorExamples(),
  };
  return forGenerators(document);
}

/** The document as it is served, and as a release carries it. */
export const documentText = (): string => `${JSON.stringify(createDocument(), null, 2)}\n`;

function generate(): oas31.OpenAPIObject {
  const generated = generateOpenApiDocument(documentedRouter() as never, {
    title: 'Causeway API',
    version: API_VERSION,
    license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    baseUrl: '/',
    openApiVersion: '3.1.1',
    securitySchemes: { AccessToken: ACCESS_TOKEN },
    defs: { BulkPart, Event, ErrorBody, AlreadyImportedErrorBody, DryRunErrorBody, TransactionImportErrorBody },
  });
  // A copy that is ours to change: the generator keeps parts of what it returns.
  return JSON.parse(JSON.stringify(generated));
}

/** The router with the schemas that its outputs stand for: see `answers` in procedures/procedure.ts. */
function documentedRouter(): object {
  const procedures = Object.entries<AnyProcedure>(appRouter._def.procedures as never).map(([path, { _def }]) => {
    const { output } = _def as { output?: object };
    return [path, { _def: { ..._def, output: documentedBy(output) ?? output } }] as const;
  });
  return { _def: { ...appRouter._def, procedures: Object.fromEntries(procedures) } };
}

/** The schemas of what no operation of the router has as its body, from which the generator would take it. */
function otherSchemas(): Record<string, oas31.SchemaObject | oas31.ReferenceObject> {
  const body = (schema: z.ZodType) => ({
    put: { requestBody: { content: { 'application/json': { schema } } }, responses: {} },
  });
  const bodies = {
    BookLine,
    ManifestLine,
    ReconciliationReport,
    ObtainTokenRequest,
    ObtainTokenResponse,
    ObtainTokenRefusal,
  };
  const { components } = documentOf({
    openapi: '3.1.1',
    info: { title: 'Other schemas', version: '1' },
    paths: Object.fromEntries(Object.entries(bodies).map(([name, schema]) => [`/${name}`, body(schema)])),
  });
  return JSON.parse(JSON.stringify(components?.schemas ?? {}));
}
