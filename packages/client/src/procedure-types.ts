import type { AppRouter } from '@causeway/api/router';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';

/** The input of each procedure: `Inputs['importSuppliers']['create']`. */
export type Inputs = inferRouterInputs<AppRouter>;

/** The output of each procedure: `Outputs['importSuppliers']['get']`. */
export type Outputs = inferRouterOutputs<AppRouter>;
