import { isIssuer, ISSUER, type AuthOptions, type TokenAlgorithm } from '../access/auth-options.js';
import type { ReadSettings } from './database-settings.js';
import type { FlowgateConfig } from './settings.js';

interface Fault {
  readonly variable: string;
  readonly message: string;
}

type Environment = Readonly<Record<string, string | undefined>>;

const OF_KEYS = ['FLOWGATE_MAX_KEY_DAYS', 'FLOWGATE_BOOTSTRAP_KEY_SHA256'];
const OF_OIDC = [
  'FLOWGATE_OIDC_ISSUER',
  'FLOWGATE_OIDC_AUDIENCE',
  'FLOWGATE_OIDC_ALGORITHMS',
  'FLOWGATE_OIDC_SUBJECT_CLAIM',
  'FLOWGATE_OIDC_GROUPS_CLAIM',
  'FLOWGATE_OIDC_SCOPES',
  'FLOWGATE_OIDC_CONSOLE_CLIENT_ID',
];
/** The roles of an access file are those of keys, too. */
const OF_EITHER = [
  'FLOWGATE_ACCESS_FILE',
  'FLOWGATE_METRICS_PUBLIC',
  'FLOWGATE_AUDIT',
  'FLOWGATE_AUDIT_RETENTION_DAYS',
  'FLOWGATE_MAX_REQUESTS_PER_OWNER',
  'FLOWGATE_WORKFLOWS_NAMESPACE',
];

/** What of authentication is missing, or cannot be together. */
export function faultsOfAccess({ auth, oidcIssuer, oidcAudience }: ReadSettings): readonly Fault[] {
  const faults: Fault[] = [];
  const add = (variable: string, message: string) => faults.push({ variable, message });
  if (auth?.includes('none') === true && auth.length > 1)
    add('FLOWGATE_AUTH', 'FLOWGATE_AUTH is none and something else: leave one of them out.');
  if (typeof oidcIssuer === 'string' && !isIssuer(oidcIssuer))
    add('FLOWGATE_OIDC_ISSUER', `FLOWGATE_OIDC_ISSUER must be ${ISSUER.allowed}.`);
  if (auth?.includes('oidc') !== true) return faults;
  if (oidcIssuer === null)
    add(
      'FLOWGATE_OIDC_ISSUER',
      'FLOWGATE_AUTH has oidc: FLOWGATE_OIDC_ISSUER must say whose tokens are taken, such as https://login.example.com/realms/acme.',
    );
  if (oidcAudience?.length === 0)
    add(
      'FLOWGATE_OIDC_AUDIENCE',
      'FLOWGATE_AUTH has oidc: FLOWGATE_OIDC_AUDIENCE must say whom tokens are meant for, such as flowgate.',
    );
  return faults;
}

/** Whoever sets one of these means it to have an effect. */
export function warningsAboutAccess({ auth }: FlowgateConfig, environment: Environment): readonly string[] {
  const without = [
    ...(auth.includes('keys') ? [] : OF_KEYS),
    ...(auth.includes('oidc') ? [] : OF_OIDC),
    ...(auth.includes('none') ? OF_EITHER : []),
  ];
  return without
    .filter((variable) => /\S/.test(environment[variable] ?? ''))
    .map((variable) => {
      const kinds = OF_KEYS.includes(variable)
        ? 'keys'
        : OF_OIDC.includes(variable)
          ? 'oidc'
          : 'keys or oidc';
      return `${variable} is set, and FLOWGATE_AUTH is ${auth.join(',')}: it has no effect; add ${kinds} to FLOWGATE_AUTH to use it`;
    });
}

/** As the option `auth` of a host; undefined: nobody is asked who they are. */
export function authOptionsFrom(config: FlowgateConfig): AuthOptions | undefined {
  const { auth, maxKeyDays, bootstrapKeySha256, accessFile, metricsPublic } = config;
  const { maxRequestsPerOwner, recordsAudit: audit, auditRetentionDays } = config;
  const { oidcIssuer, oidcAudience, oidcAlgorithms, oidcSubjectClaim, oidcGroupsClaim, oidcScopes } = config;
  const { oidcConsoleClientId: consoleClientId } = config;
  if (auth.includes('none')) return undefined;
  return {
    ...(auth.includes('keys') ? { keys: { maxKeyDays, bootstrapKeySha256 } } : {}),
    ...(auth.includes('oidc') && oidcIssuer !== null
      ? {
          oidc: {
            issuer: oidcIssuer,
            audience: oidcAudience,
            // The setting takes no other.
            algorithms: oidcAlgorithms as readonly TokenAlgorithm[],
            subjectClaim: oidcSubjectClaim,
            groupsClaim: oidcGroupsClaim,
            scopes: oidcScopes,
            consoleClientId,
          },
        }
      : {}),
    accessFile,
    metricsPublic,
    audit,
    auditRetentionDays,
    maxRequestsPerOwner,
  };
}
