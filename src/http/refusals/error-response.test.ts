import { StreamsFullError, UploadsFullError } from '../../errors/edge-errors.js';
import { NotFoundError } from '../../errors/request-errors.js';
import { SilentDiskError, StoreError } from '../../errors/service-errors.js';
import { errorResponseOf } from './error-response.js';

describe('a response to an error', () => {
  it.each([
    ['a database that is away', new StoreError('The database cannot be reached: start it')],
    ['a disk that does not answer', new SilentDiskError()],
    ['uploads that are full', new UploadsFullError()],
    ['streams that are full', new StreamsFullError()],
  ])('of %s is 503, and says when to try again', (_what, error) => {
    const { status, retryAfterSeconds } = errorResponseOf(error);
    expect([status, retryAfterSeconds]).toEqual([503, expect.any(Number)]);
  });

  it.each([
    ['the store would refuse again', new StoreError('It is too large', { permanent: true })],
    ['asks for what is not there', new NotFoundError('There is no such run')],
    ['nobody foresaw', new Error('oops')],
  ])('says nothing of that for what %s', (_what, error) => {
    expect(errorResponseOf(error).retryAfterSeconds).toBeUndefined();
  });
});
