import { SignInError, tokensIn } from './token-answer.js';

const GIVEN = { access_token: 'eyJ.secret-token', token_type: 'Bearer', expires_in: 300 };
const thrown = (status: number, body: unknown): Error => {
  try {
    tokensIn(status, typeof body === 'string' ? body : JSON.stringify(body));
  } catch (error) {
    return error as Error;
  }
  throw new Error('It was taken.');
};

describe('what the token endpoint answers', () => {
  it('is a token, and perhaps one by which another is got', () => {
    expect(tokensIn(200, JSON.stringify(GIVEN))).toEqual({
      accessToken: 'eyJ.secret-token',
      refreshToken: null,
    });
    const more = { ...GIVEN, token_type: 'bearer', refresh_token: 'r' };
    expect(tokensIn(200, JSON.stringify(more)).refreshToken).toBe('r');
  });

  it.each([
    ['no JSON', 200, '<html>', 'without a token'],
    ['JSON that is no object', 200, 'null', 'without a token'],
    ['a token that no header can carry', 200, { ...GIVEN, access_token: 'a\r\nb' }, 'without a token'],
    ['a token of another kind', 200, { ...GIVEN, token_type: 'DPoP' }, 'has to be a bearer token'],
    ['a grant that is used up', 400, { error: 'invalid_grant' }, 'invalid_grant). Sign in once more.'],
    ['a client that it does not know', 401, { error: 'invalid_client' }, 'FLOWGATE_OIDC_CONSOLE_CLIENT_ID'],
    ['that it is broken', 500, 'Internal Server Error', 'gave no token (500)'],
    ['something that it explains', 400, { error: 'x', error_description: 'Ask Ada.' }, 'It says: Ask Ada.'],
  ])('%s is a sentence that says what to do', (_what, status, body, said) => {
    const error = thrown(status, body);
    expect(error).toBeInstanceOf(SignInError);
    expect(error.message).toContain(said);
    expect(error.message).not.toContain('secret-token');
  });
});
