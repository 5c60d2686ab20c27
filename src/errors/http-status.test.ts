import { httpStatusOf } from './http-status.js';
import { FlowgateError } from './flowgate-error.js';
import { ShuttingDownError, StoreError } from './service-errors.js';

describe('the status of an error', () => {
  it.each([
    ['that goes by', new StoreError('The disk is full: make room'), 503],
    ['of a service that shuts down', new ShuttingDownError(), 503],
  ])('%s: %i', (_name, error, status) => {
    expect(httpStatusOf(error)).toBe(status);
  });

  it('is no invitation to try again where that cannot help', () => {
    class Permanent extends FlowgateError {
      readonly code = 'store';
    }
    expect(httpStatusOf(new Permanent('It is too large: send less'))).toBe(500);
  });
});
