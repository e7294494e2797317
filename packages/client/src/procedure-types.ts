import type { AppRouter } from '@causeway/api/router';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';

/** What each procedure takes: `Inputs['importSuppliers']['create']`. */
export type Inputs = inferRouterInputs<AppRouter>;

/** What each procedure answers: `Outputs['importSuppliers']['get']`. */
export type Outputs = inferRouterOutputs<AppRouter>;
