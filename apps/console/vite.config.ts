import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { supplierSettings } from './build/supplier-settings.ts';

const SERVICE = 'http://127.0.0.1:3000';

export default defineConfig({
  base: '/console/',
  plugins: [react()],
  define: { SUPPLIER_SETTINGS: supplierSettings() },
  // The service puts the nonce of its answer in this place: apps/api/src/console/page.ts.
  html: { cspNonce: 'NONCE_OF_THE_ANSWER' },
  build: {
    // A font or picture inside a style sheet would be an address that the policy refuses.
    assetsInlineLimit: 0,
    // The first ones with light-dark(): what is written for older ones would not follow a choice of colours.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // `pnpm dev`: the pages from their sources, the data from the service of `pnpm start`.
  server: { proxy: { '/trpc': SERVICE, '/v1': SERVICE, '/docs': SERVICE, '/console/frame': SERVICE } },
});
