import { Catch } from '@nestjs/common';
import { SelfCallError } from '../errors/request-errors.js';
import { FlowgateExceptionFilter } from './flowgate-exception.filter.js';

/** Answers a refused self-call with its own status, also at /mcp, where every answer of the gateway itself is 200. */
@Catch(SelfCallError)
export class SelfCallFilter extends FlowgateExceptionFilter {}
