import type { health as dutch } from '../nl/health.ts'
import type { Texts } from '../nl/index.ts'

export const health: Texts<typeof dutch> = {
  checks: {
    database: 'Database',
    integrity: 'Integrity of the database',
    databaseSize: 'Size of the database',
    disk: 'Disk space',
    storage: 'Room for files',
    backup: 'Backup',
    backupRetention: 'Clearing up backups',
    mailServer: 'Mail server',
    emails: 'Outgoing email',
    mailbox: 'Mailbox',
    canary: 'Contact form',
    arrival: 'Arrival of email',
    spf: 'SPF: who may send for you',
    dkim: 'DKIM: signature',
    dmarc: 'DMARC: abuse of your address',
    mx: 'MX: receiving answers',
    reachable: 'Reachability',
    certificate: 'Certificate',
    https: 'Secure connection',
    headers: 'Security headers',
    ipv6: 'IPv6',
    dnssec: 'DNSSEC: authenticity of the name',
    securityTxt: 'security.txt',
    schedules: 'Scheduled publications',
    links: 'Links within the website',
    cdn: 'CDN',
    version: 'Versions',
    clock: 'Clock',
    alarms: 'Alarms',
  },
  findings: {
    notChecked: 'This could not be checked ({{reason}}). Look again in a few minutes.',
    databaseGood: 'The database answers and can be written to.',
    databaseSlow:
      'The database answers slowly: it took {{ms, number}} milliseconds. See whether the server is too busy.',
    databaseAway:
      'The database does not answer or cannot be written to. Restart the database and read the log of the server.',
    integrityGood: 'The database is intact.',
    integrityDamaged: 'The database is damaged ({{damage}}). Restore the newest good backup.',
    integrityTooLarge:
      'The database is too large to be checked completely while it is in use. Check a backup with ‘restore --check’.',
    databaseSizeGood: 'The database takes {{size}}.',
    databaseSizeGrew: 'The database takes {{size}}. It grew by {{growth}} in {{days, number}} days.',
    databaseSizeSoon:
      'The database takes {{size}} and grew by {{growth}} in {{days, number}} days, so the disk is full within a month. Make room, or set lower numbers under Settings, Retention.',
    databaseSizeTight:
      'The database takes {{size}}, and less than that is free on the disk. Make room or take a larger disk.',
    diskGood: '{{free}} is free.',
    diskLow: 'Only {{free}} is free. Make room or take a larger disk.',
    diskFull: 'The disk is almost full: {{free}} is free. Make room now, or nothing can be saved any more.',
    storageAway:
      'The file storage cannot be reached, so files are not stored or shown. See whether the storage server runs and whether STORAGE_URL is right.',
    storageWithoutQuota: 'The files take {{used}}. No limit is set.',
    storageGood: 'The files take {{used}} of {{quota}}.',
    storageLow: 'The files take {{used}} of {{quota}}. Delete files that you do not use or raise STORAGE_QUOTA_MB.',
    storageFull:
      'The room for files is full: {{used}} of {{quota}}. Delete files that you do not use or raise STORAGE_QUOTA_MB.',
    backupGood: 'The newest backup is of {{at}}.',
    backupLate: 'The newest backup is of {{at}}. Make one under Backups, or with ‘npm run cli -- backup’.',
    backupMissing:
      'The newest backup is of {{at}}, more than a week ago. Make one now under Backups, or with ‘npm run cli -- backup’.',
    backupNone: 'There is no backup yet. Set under Backups when one is made.',
    backupPlanned: 'There is no backup yet. The first is made within a day.',
    backupProved: 'The newest backup is of {{at}}. A trial restore on {{proved}} succeeded.',
    backupProofUnknown:
      'The newest backup is of {{at}}, but on {{proved}} it could not be told whether it can be restored. See under Backups why.',
    backupProofLate:
      'The newest backup is of {{at}}, but the last trial restore that succeeded was on {{proved}}. See under Backups why none has succeeded since.',
    backupNeverProved:
      'The newest backup is of {{at}}, but no trial restore has succeeded yet. Prove the newest one under Backups, or see there why that fails.',
    backupFailed: 'The last backup failed; the newest one is of {{at}}. See under Backups why, and try again.',
    backupNeverMade: 'The backup failed, and there is no other one. See under Backups why, and try again.',
    backupUnproved:
      'The backup of {{at}} could not be restored in a trial. Make a new one under Backups, and prove it.',
    backupRetentionGood: 'Files that no backup needs any more are removed.',
    backupRetentionStopped:
      'Files of old backups are not removed, because a backup cannot be read ({{reason}}). Replace it with an intact copy or take that file away; the next backup then clears up.',
    mailServerGood: 'The website can sign in to the mail server.',
    mailServerFailed: 'The mail server does not work. {{advice}}',
    mailServerMissing: 'No mail server is set, so emails are only kept as files. Set a mail server.',
    emailsGood: 'No email got stuck or was returned in the past week.',
    emailsWaiting:
      'The oldest waiting email has waited since {{at}}. See under Email what the mail server answers and correct the settings.',
    emailsLost_one:
      '{{count, number}} email about a message to you did not arrive in the past week. Read the message under Messages, and see under Email what went wrong.',
    emailsLost_other:
      '{{count, number}} emails about messages to you did not arrive in the past week. Read the messages under Messages, and see under Email what went wrong.',
    emailsFailed_one:
      '{{count, number}} email did not arrive in the past week. See under Email why, and send it again or ask for the right address.',
    emailsFailed_other:
      '{{count, number}} emails did not arrive in the past week. See under Email why, and send them again or ask for the right addresses.',
    mailboxGood: 'The mailbox was read on {{at}}.',
    mailboxNone: 'No mailbox is set, so returned email is not noticed. You can set one under Settings, Email.',
    mailboxUnread: 'The mailbox has not been read yet. Look again in a few minutes.',
    mailboxLate:
      'The mailbox was last read on {{at}}, so returned email is not noticed. See why in the log of the server.',
    mailboxFailed: 'The mailbox cannot be read, so returned email is not noticed. {{advice}}',
    mailboxPasswordLost:
      'The password of the mailbox cannot be decrypted any more. Enter it again under Settings, Email.',
    canaryGood: 'A trial message went the whole way, up to the mail server. Nothing of it was kept or sent.',
    canaryWithoutServer:
      'A trial message went the whole way; without a mail server emails are kept as files. Nothing of it was kept.',
    canaryNotStored:
      'A message of the contact form cannot be stored ({{reason}}). See under Database and Disk space, and in the log.',
    canarySpam:
      'An ordinary message would land in the spam and not be emailed. Make the rules under Settings, Spam, less strict.',
    canaryNotRendered:
      'The email about a message cannot be made ({{reason}}). See the recipients and the sender in the settings.',
    canaryNotHandedOver:
      'The mail server accepts nothing ({{reason}}). Correct the address, name or password of the mail server.',
    canaryNotAnswered:
      'The contact form answers with error {{status}}, so visitors can send nothing. Read the log of the server.',
    canaryNotShown:
      'The page {{path}} does not show the contact form. Look at the page, and read the log of the server.',
    formNotAnswered:
      'The form {{form}} answers with error {{status}}, so visitors cannot send it. Read the log of the server.',
    programNeeded:
      'Only the running program can check this, and it has not done so lately. Start it, or open the screen Health in the admin.',
    arrivalGood: 'The daily trial email arrived in the mailbox on {{at}} and was removed from it.',
    arrivalUnderWay: 'A trial email is on its way to the mailbox. Look again in a few minutes.',
    arrivalWithoutMailbox:
      'Without a mail server and a mailbox it cannot be seen whether email arrives. Set them under Settings, Email.',
    arrivalWithoutAddress:
      'No email address of the mailbox is known, so no daily trial email goes to it. Enter the address under Settings, Email.',
    arrivalUnreadable:
      'The mailbox cannot be read, so it cannot be seen whether email arrives. See what the line Mailbox says.',
    arrivalMissing:
      'The trial email that was sent on {{at}} did not arrive in the mailbox. Look into its spam folder, and at SPF, DKIM and DMARC.',
    arrivalRefused:
      'The trial email to the mailbox was refused ({{reason}}). See under Settings, Email, whether the mail server and the mailbox are right.',
    senderGood: 'The DNS of {{domain}} is fine in this respect.',
    senderWarning: 'The DNS of {{domain}} could be better in this respect. Settings, Email, says what to put into it.',
    senderFailed:
      'The DNS of {{domain}} is not right in this respect, so email may not arrive. Settings, Email, says what to put into it.',
    senderUnknown: 'Nothing could be told about {{domain}} in this respect. Settings, Email, says why.',
    addressPrivate:
      '{{address}} leads to a private network, so this cannot be seen from here. Look at the website from another network.',
    addressAway:
      '{{address}} could not be reached from here, so this cannot be seen. Look at the website from another network.',
    reachableGood: '{{address}} answers.',
    reachableError: '{{address}} answers with error {{status}}. Read the logs of the server and of the proxy.',
    reachableForeign:
      'Another website answers at {{address}}, such as a parked page. See where the DNS of the name and the proxy lead to.',
    reachableLost:
      '{{address}} cannot be reached any more, though it could before. See whether the server and the proxy run and the DNS of the name is right.',
    certificateGood: 'The certificate is valid until {{at}}.',
    certificateSoon: 'The certificate expires on {{at}}. Find out why it is not renewed by itself.',
    certificateExpired: 'The certificate expired on {{at}}. Renew it now: browsers warn your visitors.',
    certificateInvalid: 'Browsers do not trust the certificate ({{problem}}). Request a new one for this address.',
    httpsMissing: 'The website is served without https. Put a proxy with a certificate in front of it, such as Caddy.',
    httpsGood: 'Visitors who come without https are led to the secure connection.',
    httpsPlainClosed:
      'Nothing answers without https, so an address without https does not work. Open port 80 and redirect visitors.',
    httpsNotRedirected: 'Visitors who come without https are not led to the secure connection. Set that in the proxy.',
    httpsOldTls: 'The server also accepts TLS 1.0 or 1.1, which are not safe. Allow only TLS 1.2 and 1.3 in the proxy.',
    headersGood: 'The security headers reach visitors.',
    headersMissing: 'These headers do not reach visitors: {{names}}. See whether the proxy removes them.',
    hstsShort:
      'Browsers remember for less than a year that the website uses https (HSTS). Let the proxy pass on the header of the program.',
    ipv6Good: 'The address can be found by IPv6.',
    ipv6Answers: 'The website answers by IPv6.',
    ipv6Silent:
      'The address can be found by IPv6, but nothing answers there. Open port 443 for IPv6 or correct the AAAA record.',
    ipv6Missing: 'The address cannot be found by IPv6. Add an AAAA record to its DNS.',
    dnssecGood: 'The name of the website is protected by DNSSEC.',
    dnssecMissing: 'The name of the website is not protected by DNSSEC. Turn it on at the provider of the domain.',
    dnssecUnknown:
      'The resolver of this server does not check DNSSEC, so this cannot be seen here. Look at internet.nl.',
    dnssecNoName: '{{address}} is not a name in the DNS.',
    securityTxtGood: 'security.txt can be found and is valid until {{at}}.',
    securityTxtMissing:
      'security.txt cannot be found or read. See whether the proxy passes /.well-known/security.txt on.',
    securityTxtExpired: 'security.txt expired on {{at}}. See whether the proxy keeps an old file.',
    schedulesGood: 'Scheduled publications were done in time.',
    schedulesLate:
      'The publication due on {{at}} has not been done. See under Pages which one it is and in the log why.',
    linksGood: 'Every link within the website leads somewhere.',
    linksDead_one:
      '{{count, number}} address that you link to does not exist. See under the links of your pages which.',
    linksDead_other:
      '{{count, number}} addresses that you link to do not exist. See under the links of your pages which.',
    cdnGood: 'The CDN removes outdated pages.',
    cdnFailing:
      'The CDN has refused to remove outdated pages since {{at}}, so visitors may see old content. Check CDN_PURGE and CDN_TOKEN.',
    versionGood: 'Version {{version}}. The program and the database fit together; Node {{node}}.',
    versionUpdated:
      'Version {{version}}, in the place of {{from}} since {{at}}. The program and the database fit together; Node {{node}}.',
    updateUndone:
      'The update to version {{to}} was undone at {{at}}; version {{version}} runs. The reason: {{reason}}. Have it mended before you update again.',
    updateStuck:
      'The update to version {{to}} should have been undone at {{at}}, but version {{from}} does not start any more. The reason: {{reason}}. Have somebody look at it at once.',
    versionNode: 'The program runs on Node {{node}}, but is made for {{wanted}}. Start it with npm start.',
    versionOlder:
      'The database is of a newer version of the program ({{names}}). Start that newer version on every server.',
    clockGood: 'The clock is right.',
    clockOff:
      'The clocks of the program and of the database differ by {{seconds, number}} seconds. Turn on time synchronisation (NTP).',
    clockJumped:
      'The clock jumped by {{seconds, number}} seconds in the past day. See whether time synchronisation (NTP) works.',
    alarmsGood_one: 'When something goes wrong, {{count, number}} person gets an email.',
    alarmsGood_other: 'When something goes wrong, {{count, number}} people get an email.',
    alarmsWebhook: 'When something goes wrong, your webhook is told.',
    alarmsNobody:
      'Nobody is told when something goes wrong. Choose on the screen Health, under Alarms, who gets an email.',
  },
}
