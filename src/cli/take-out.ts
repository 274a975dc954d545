import { join, resolve } from 'node:path'
import { Refusal, type RefusalCode } from '../contract/errors.ts'
import { NotTaken, type OpenBackup, type TakeOutContext, withOpenBackup } from '../domain/backup/open-backup.ts'
import { readBackupMessages, takeMessage } from '../domain/backup/take-message.ts'
import { listBackupPages, takePage } from '../domain/backup/take-page.ts'
import { getBackupKey } from '../platform/archive/backup-key.ts'
import { loadSecret } from '../platform/config/secret.ts'
import { readSettings } from '../platform/config/settings.ts'
import { createImageWorker } from '../platform/images/image-worker.ts'
import { createLog } from '../platform/log/log.ts'
import { createStorage } from '../platform/storage/create-storage.ts'
import { createTemporaryFiles } from '../platform/storage/temporary-files.ts'
import { print, withDatabaseAndSite } from './command-context.ts'

/** `restore <archive> --message <reference or id>`. The site goes on serving. @returns the exit code */
export const restoreOneMessage = (archive: string, reference: string): Promise<number> =>
  withBackup(archive, async (ctx, backup) => {
    if (!/^\d{1,9}$/.test(reference)) throw new NotTaken('notInBackup', `${reference} is no number of a message.`)
    const taken = await takeMessage(ctx, backup, Number(reference))
    print(
      `Message ${taken.reference} is in the inbox again, with files: ${taken.files}, replies: ${taken.replies}. No email was sent.`,
    )
    if (taken.missingFiles.length > 0) print(lackingOf(taken.missingFiles))
  })

/** `restore <archive> --page <address>`. @returns the exit code */
export const restoreOnePage = (archive: string, address: string): Promise<number> =>
  withBackup(archive, async (ctx, backup) => {
    const { id, paths, files, missingFiles } = await takePage(ctx, backup, address)
    print(
      `The page was added as a new one, which is not published: ${ctx.origin}/admin/pages/${id}/${paths[0]?.locale}`,
    )
    for (const { from, to } of paths) print(from === to ? to : `${to}, because ${from} is taken`)
    print(`Files that were gone and are served again at their old addresses: ${files.join(', ') || 'none'}.`)
    if (missingFiles.length > 0) print(lackingOf(missingFiles))
  })

const lackingOf = (files: string[]) => `Files that the backup lacks, or has damaged: ${files.join(', ')}.`

/** `restore <archive> --list`. @returns the exit code */
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

async function withBackup(
  archive: string,
  work: (ctx: TakeOutContext & { origin: string }, backup: OpenBackup) => Promise<void>,
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
    if (!(error instanceof NotTaken) && !problem) throw error
    process.stderr.write(problem ? `${problem} Nothing was changed.\n` : `${(error as Error).message}\n`)
    return 1
  } finally {
    imageWorker.stop()
    await storage.close()
  }
}
