import type { HealthOutcome } from '../contract/health.ts'
import { createHealthMonitor, loadCompleteLines, worstOutcome } from '../domain/health/health.ts'
import { createBackupParts } from '../platform/archive/backup-parts.ts'
import { loadSecret } from '../platform/config/secret.ts'
import { readSettings } from '../platform/config/settings.ts'
import { findSmtpServer } from '../platform/mail/mail-settings.ts'
import { createHasDnssec } from '../platform/net/dnssec.ts'
import { createResolve } from '../platform/net/resolver.ts'
import { createStorage } from '../platform/storage/create-storage.ts'
import { print, withDatabaseAndSite } from './command-context.ts'

const outcomeLabels: Record<HealthOutcome, string> = { good: 'ok', attention: 'WARN', failed: 'FAIL', unknown: '?' }

/** The command `doctor`: runs all health checks. @returns the exit code: 1 when a check failed */
export async function printHealth({ json }: { json: boolean }): Promise<number> {
  const settings = readSettings()
  return withDatabaseAndSite(async (operator) => {
    const secret = loadSecret(settings.dataDir, settings.secret)
    const server = await findSmtpServer(operator.db, { ...settings, secret })
    const storage = createStorage(settings)
    const checkContext = {
      ...operator,
      secret,
      origin: settings.baseUrl ?? operator.site.url,
      mail: { sends: server !== undefined, server, resolve: createResolve(settings.dnsServer) },
      cdn: settings.cdn,
      hasDnssec: createHasDnssec(settings.dnsServer),
      dataDir: settings.dataDir,
      backups: createBackupParts(settings),
      uploads: { storage },
      quotaBytes: settings.uploads.quotaBytes,
    }
    const results = await createHealthMonitor(() => checkContext)
      .runChecks()
      .finally(() => storage.close())
    const { en: lines } = await loadCompleteLines(operator, results)
    const outcome = worstOutcome(lines)
    if (json) print(JSON.stringify({ outcome, lines }, undefined, 2))
    else for (const line of lines) print(`${outcomeLabels[line.outcome].padEnd(6)}${line.label}: ${line.text}`)
    return outcome === 'failed' ? 1 : 0
  })
}
