import { Catch } from '@nestjs/common';
import type { ErrorAnswer } from '../http/error-answer.js';
import { FlowgateExceptionFilter } from '../http/flowgate-exception.filter.js';

/** At from-yaml an internal fault has the `type` `Error` (interface, section 7). */
@Catch()
export class RegistrationExceptionFilter extends FlowgateExceptionFilter {
  protected override answer(error: unknown): ErrorAnswer {
    const answer = super.answer(error);
    return answer.status === 500 ? { ...answer, body: { ...answer.body, type: 'Error' } } : answer;
  }
}
