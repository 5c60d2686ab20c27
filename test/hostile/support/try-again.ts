import { jest } from '@jest/globals';

// Other work on the machine may make a siege fail once; a service that freezes does so each time.
jest.retryTimes(2, { logErrorsBeforeRetry: true });
