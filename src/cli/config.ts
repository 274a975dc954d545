import { configurationJsonSchema, configurationText, readConfiguration } from '../domain/configuration/configuration.ts'
import { importConfiguration } from '../domain/configuration/import-configuration.ts'
import { loadConfiguration } from '../domain/configuration/load-configuration.ts'
import { withLivePages } from '../domain/pages/live-configuration.ts'
import { readSettings } from '../platform/config/settings.ts'
import { readSiteFile } from '../platform/config/site-file.ts'
import { isThereADatabase, say, withDatabase } from './open.ts'

export function checkConfig(file: string | undefined): void {
  const path = file ?? readSettings().siteConfig
  readConfiguration(readSiteFile(path), path)
  say(`${path} is good.`)
}

export async function exportConfig(): Promise<void> {
  const { siteConfig: file } = readSettings()
  // Without a database the file counts, and reading it makes none.
  const site = isThereADatabase()
    ? await withDatabase(async ({ db }) => {
        const { site } = await loadConfiguration(db, { file, publicDir: 'public' })
        return withLivePages(db, site)
      })
    : readConfiguration(readSiteFile(file), file)
  process.stdout.write(configurationText(site))
}

export async function importConfig(file: string): Promise<void> {
  const text = readSiteFile(file)
  const { id } = await withDatabase((operator) => importConfiguration(operator, { text, note: file }))
  say(`Revision ${id} is in force.`)
}

export function printSchema(): void {
  say(JSON.stringify(configurationJsonSchema(), null, 2))
}
