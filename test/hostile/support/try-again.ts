import { jest } from '@jest/globals';

// What else a machine does may make a siege fail once; a service that freezes does so each time.
jest.retryTimes(2, { logErrorsBeforeRetry: true });
