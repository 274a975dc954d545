import { join, resolve } from 'node:path'
import { Refusal, type RefusalCode } from '../contract/errors.ts'
import { NotRestored, type OpenBackup, type OpenBackupContext, withOpenBackup } from '../domain/backup/open-backup.ts'
import { readBackupMessages, restoreBackupMessage } from '../domain/backup/restore-message.ts'
import { listBackupPages, restoreBackupPage } from '../domain/backup/restore-page.ts'
import { getBackupKey } from '../platform/archive/backup-key.ts'
import { loadSecret } from '../platform/config/secret.ts'
import { readSettings } from '../platform/config/settings.ts'
import { createImageWorker } from '../platform/images/image-worker.ts'
import { createLog } from '../platform/log/log.ts'
import { createStorage } from '../platform/storage/create-storage.ts'
import { createTemporaryFiles } from '../platform/storage/temporary-files.ts'
import { print, withDatabaseAndSite } from './command-context.ts'

/** The command `restore <archive> --message <reference or id>`, while the site is running. @returns the exit code */
export const restoreOneMessage = (archive: string, reference: string): Promise<number> =>
  withBackup(archive, async (ctx, backup) => {
    if (!/^\d{1,9}$/.test(reference)) throw new NotRestored('notInBackup', `${reference} is no number of a message.`)
    const restored = await restoreBackupMessage(ctx, backup, Number(reference))
    print(
      `Message ${restored.reference} is in the inbox again, with files: ${restored.files}, replies: ${restored.replies}. No email was sent.`,
    )
    if (restored.missingFiles.length > 0) print(describeMissing(restored.missingFiles))
  })

/** The command `restore <archive> --page <address>`. @returns the exit code */
export const restoreOnePage = (archive: string, address: string): Promise<number> =>
  withBackup(archive, async (ctx, backup) => {
    const { id, paths, files, missingFiles } = await restoreBackupPage(ctx, backup, address)
    print(
      `The page was added as a new one, which is not published: ${ctx.origin}/admin/pages/${id}/${paths[0]?.locale}`,
    )
    for (const { from, to } of paths) print(from === to ? to : `${to}, because ${from} is taken`)
    print(`Files that were gone and are served again at their old addresses: ${files.join(', ') || 'none'}.`)
    if (missingFiles.length > 0) print(describeMissing(missingFiles))
  })

const describeMissing = (files: string[]) => `Files that the backup lacks, or has damaged: ${files.join(', ')}.`

/** The command `restore <archive> --list`. @returns the exit code */
export const listBackup = (archive: string): Promise<number> =>
  withBackup(archive, async (ctx, backup) => {
    print(`Backup of ${backup.header.madeAt}. Messages, by their numbers:`)
    for await (const rows of readBackupMessages(ctx, backup)) {
      print(
        rows
          .map(({ id, reference, createdAt, name, email }) => `${reference ?? id}  ${createdAt}  ${name} <${email}>`)
          .join('\n'),
      )
    }
    print('\nPages, by their addresses:')
    for (const { path, title, isPublished } of await listBackupPages(ctx, backup)) {
      print(`${path}  ${title}${isPublished ? '' : '  (not published)'}`)
    }
  })

const storageProblems: { [code in RefusalCode]?: string } = {
  storage_full: 'The storage of files is full.',
  storage_unavailable: 'The storage of files does not answer.',
}

/** Opens a backup for one command, and prints expected errors. @returns the exit code */
async function withBackup(
  archive: string,
  work: (ctx: OpenBackupContext & { origin: string }, backup: OpenBackup) => Promise<void>,
): Promise<number> {
  const settings = readSettings()
  const { dataDir } = settings
  const key = await getBackupKey(dataDir, settings.backupKey)
  const storage = createStorage(settings)
  const imageWorker = createImageWorker()
  try {
    return await withDatabaseAndSite(async (operator) => {
      const ctx = {
        ...operator,
        secret: loadSecret(dataDir, settings.secret),
        log: createLog('warn', process.stderr),
        uploads: {
          storage,
          ...settings.uploads,
          imageWorker,
          temporaryFiles: createTemporaryFiles(join(dataDir, 'arriving')),
        },
      }
      await withOpenBackup(ctx, { path: resolve(archive), identity: key.identity }, (backup) => work(ctx, backup))
      return 0
    })
  } catch (error) {
    const problem = error instanceof Refusal ? storageProblems[error.code] : undefined
    if (!(error instanceof NotRestored) && !problem) throw error
    process.stderr.write(problem ? `${problem} Nothing was changed.\n` : `${(error as Error).message}\n`)
    return 1
  } finally {
    imageWorker.stop()
    await storage.close()
  }
}
