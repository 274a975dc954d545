import {
  configurationJsonSchema,
  parseConfiguration,
  serializeConfiguration,
} from '../domain/configuration/configuration.ts'
import { importConfiguration } from '../domain/configuration/import-configuration.ts'
import { loadConfiguration } from '../domain/configuration/load-configuration.ts'
import { withLivePages } from '../domain/pages/live-configuration.ts'
import { readSettings } from '../platform/config/settings.ts'
import { publicFolderOf, readSiteFile } from '../platform/config/site-file.ts'
import { databaseExists, print, withDatabase } from './command-context.ts'

export function checkConfig(file: string | undefined): void {
  const path = file ?? readSettings().siteConfig
  parseConfiguration(readSiteFile(path), path, publicFolderOf(path))
  print(`${path} is valid.`)
}

export async function exportConfig(): Promise<void> {
  const { siteConfig: file } = readSettings()
  // Without a database the file is exported, and no database is created.
  const site = databaseExists()
    ? await withDatabase(async ({ db }) => {
        const { site } = await loadConfiguration(db, { file, publicDir: publicFolderOf(file) })
        const exported = await withLivePages(db, site)
        if (exported.left > 0) {
          process.stderr.write(
            `${exported.left} of the oldest entries are left out: a file holds no more. A backup has all.\n`,
          )
        }
        return exported.site
      })
    : parseConfiguration(readSiteFile(file), file, publicFolderOf(file))
  process.stdout.write(serializeConfiguration(site))
}

export async function importConfig(file: string): Promise<void> {
  const text = readSiteFile(file)
  const { id, hidden, hiddenLanguages } = await withDatabase((operator) =>
    importConfiguration(operator, { text, note: file, publicDir: publicFolderOf(readSettings().siteConfig) }),
  )
  print(`Revision ${id} is the current configuration.`)
  const stays = (pages: number) => `its pages (${pages}) are kept, hidden, until a configuration has it again.`
  for (const { id: collection, entries } of hidden) print(`It has no collection ${collection}: ${stays(entries)}`)
  for (const { locale, pages } of hiddenLanguages) print(`It has no language ${locale}: ${stays(pages)}`)
}

export function printSchema(): void {
  print(JSON.stringify(configurationJsonSchema(), null, 2))
}
