import { createCausewayClient } from '../causeway-client.ts';

// node src/create-webhook-endpoint/main.ts <url>, with API_KEY set. Has the events of the organisation sent to this address, and
// prints the secret with which they are signed: it is shown only now.
const { CAUSEWAY_URL: causeway = 'http://127.0.0.1:3000', API_KEY } = process.env;
const [url] = process.argv.slice(2);
if (API_KEY === undefined || url === undefined) throw new Error('Set API_KEY, and name the address of the receiver.');

const client = createCausewayClient({ url: causeway, apiKey: API_KEY });
const { data, error } = await client.POST('/v1/data-import/webhook-endpoints/', { body: { url } });
if (error !== undefined) throw new Error(error.detail);
process.stdout.write(`${data.secret}\n`);
