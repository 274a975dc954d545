import type { HealthOutcome } from '../contract/health.ts'
import { createHealthMonitor, linesWithProgram, worstOutcome } from '../domain/health/health.ts'
import { createBackupParts } from '../platform/archive/backup-parts.ts'
import { loadSecret } from '../platform/config/secret.ts'
import { readSettings } from '../platform/config/settings.ts'
import { findSmtpServer } from '../platform/mail/mail-settings.ts'
import { createIsProtected } from '../platform/net/dnssec.ts'
import { createResolve } from '../platform/net/resolver.ts'
import { createStorage } from '../platform/storage/create-storage.ts'
import { print, withDatabaseAndSite } from './command-context.ts'

const marks: Record<HealthOutcome, string> = { good: 'ok', attention: 'WARN', failed: 'FAIL', unknown: '?' }

/** `doctor`: every check of the site, as on its screen Health. @returns 1 when one of them failed */
export async function printHealth({ json }: { json: boolean }): Promise<number> {
  const settings = readSettings()
  return withDatabaseAndSite(async (operator) => {
    const secret = loadSecret(settings.dataDir, settings.secret)
    const server = await findSmtpServer(operator.db, { ...settings, secret })
    const storage = createStorage(settings)
    const source = {
      ...operator,
      secret,
      origin: settings.baseUrl ?? operator.site.url,
      mail: { sends: server !== undefined, server, resolve: createResolve(settings.dnsServer) },
      cdn: settings.cdn,
      isProtected: createIsProtected(settings.dnsServer),
      dataDir: settings.dataDir,
      backups: createBackupParts(settings),
      uploads: { storage },
      quotaBytes: settings.uploads.quotaBytes,
    }
    const found = await createHealthMonitor(() => source)
      .runChecks()
      .finally(() => storage.close())
    const { en: lines } = await linesWithProgram(operator, found)
    const outcome = worstOutcome(lines)
    if (json) print(JSON.stringify({ outcome, lines }, undefined, 2))
    else for (const line of lines) print(`${marks[line.outcome].padEnd(6)}${line.label}: ${line.text}`)
    return outcome === 'failed' ? 1 : 0
  })
}
