import { answerRenderRequests } from '@causeway/domain/render-thread';
import { lowerPriority } from '../bulk/lower-priority.ts';

// Renders templates of e-mails (behaviour 29.4), in a thread that is ended if that takes too long.

lowerPriority();
answerRenderRequests();
