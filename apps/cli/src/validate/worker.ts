import { checkInThread } from './check-in-thread.ts';

checkInThread();
