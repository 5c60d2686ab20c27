/**
 * Where no unit is ever called, whatever the settings say: link-local addresses, and the services from which a machine in
 * a cloud gets its credentials. Most of those are link-local; these are the ones that are not, and the names of all.
 */
export const NEVER_CALLED: readonly string[] = [
  '169.254.0.0/16',
  'fe80::/10',
  // Alibaba, Azure (also its DNS and health probes), Oracle.
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  // AWS, Google, Oracle, Scaleway, Linode.
  'fd00:ec2::/32',
  'fd20:ce::254',
  'fd00:c1::a9fe:a9fe',
  'fd00:42::42',
  'fd00:a9fe:a9fe::1',
  'metadata.google.internal',
  'metadata.goog',
  'instance-data.ec2.internal',
  'metadata.azure.internal',
  'metadata.tencentyun.com',
];
