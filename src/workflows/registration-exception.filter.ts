import { Catch } from '@nestjs/common';
import type { ErrorResponse } from '../http/error-response.js';
import { FlowgateExceptionFilter } from '../http/flowgate-exception.filter.js';

/** An internal fault of from-yaml has the `type` `Error` (interface, section 7). */
@Catch()
export class RegistrationExceptionFilter extends FlowgateExceptionFilter {
  protected override errorResponse(error: unknown): ErrorResponse {
    const response = super.errorResponse(error);
    return response.status === 500 ? { ...response, body: { ...response.body, type: 'Error' } } : response;
  }
}
