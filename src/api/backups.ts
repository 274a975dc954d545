import {
  backupProof,
  backupRun,
  backupSearch,
  backupSearched,
  backupSettings,
  backups,
  changedBackupSettings,
  messageTaken,
  pageTaken,
  recoverySheetText,
  takenMessage,
  takenPage,
  targetTried,
} from '../contract/backups.ts'
import { idParameter } from '../contract/list.ts'
import { rights } from '../contract/rights.ts'
import { saveBackupSettings, tryBackupTarget } from '../domain/backup/backup-settings.ts'
import { askForBackup, askForProof, showBackups, showRecoverySheet } from '../domain/backup/backups.ts'
import { searchBackup, takeMessageOut, takePageOut } from '../domain/backup/take-from-backup.ts'
import { createApi, createRoute, json, refusalResponse } from '../http/api.ts'
import { createConcurrencyLimit, createTaskLimit } from '../http/rate-limit.ts'
import { requestLocale } from '../http/request-locale.ts'

const access = { rights, allRights: true } as const

const oneAtATime =
  'The archive is fetched and restored aside, as long as the client waits, one at a time. The password must have been entered in the last ten minutes.'
const refusedAlone = {
  404: refusalResponse('There is no such backup'),
  429: refusalResponse('Another backup is being read now'),
}

/** `/backups`: for those who hold every right. */
export const backupsApi = () => {
  const runAlone = createConcurrencyLimit({ perKey: 1, inAll: 1 })
  const runTry = createTaskLimit({ atOnce: 3, waiting: 3 })
  return createApi()
    .openapi(
      createRoute({
        method: 'get',
        path: '/backups',
        ...access,
        summary: 'The settings of backups, and the newest hundred',
        responses: { 200: json(backups, 'The newest first') },
      }),
      async (c) => c.json(await showBackups(c.var.ctx, requestLocale(c.req.raw)), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/backups',
        ...access,
        summary: 'Make a backup now',
        description: 'In the background, where the settings want it.',
        responses: { 202: json(backupRun, 'It is waiting') },
      }),
      async (c) => c.json(await askForBackup(c.var.ctx, requestLocale(c.req.raw)), 202),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/backups/proofs',
        ...access,
        summary: 'Prove the newest backup now',
        description: 'In the background it is restored aside, and the copy is compared with the site.',
        responses: { 202: json(backupProof, 'It is waiting'), 404: refusalResponse('There is no backup yet') },
      }),
      async (c) => c.json(await askForProof(c.var.ctx), 202),
    )
    .openapi(
      createRoute({
        method: 'put',
        path: '/backups/settings',
        ...access,
        summary: 'Change when backups are made, and where they go',
        description:
          'A file is stored there and read back first. Without `version` it overwrites. The password must have been entered in the last ten minutes.',
        request: { body: { required: true, ...json(changedBackupSettings, 'All settings') } },
        responses: {
          200: json(backupSettings, 'Changed'),
          409: refusalResponse('Somebody else saved meanwhile; `current` is the saved state'),
          429: refusalResponse('Others are trying now'),
        },
      }),
      async (c) => c.json(await runTry(() => saveBackupSettings(c.var.ctx, c.req.valid('json'))), 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/backups/try',
        ...access,
        summary: 'Try whether backups can be stored somewhere',
        description: 'The password must have been entered in the last ten minutes.',
        request: { body: { required: true, ...json(changedBackupSettings, 'Settings, which are not saved') } },
        responses: { 200: json(targetTried, 'What happened'), 429: refusalResponse('Others are trying now') },
      }),
      async (c) => c.json({ error: await runTry(() => tryBackupTarget(c.var.ctx, c.req.valid('json'))) }, 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/backups/recovery-sheet',
        ...access,
        summary: 'The recovery sheet, with the key of the backups',
        description: 'The password must have been entered in the last ten minutes.',
        responses: { 200: json(recoverySheetText, 'A text to print') },
      }),
      async (c) => c.json({ text: await showRecoverySheet(c.var.ctx) }, 200),
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/backups/{id}/search',
        ...access,
        summary: 'Search the messages and pages of a backup',
        description: oneAtATime,
        request: { params: idParameter, body: { required: true, ...json(backupSearch, 'What to look for') } },
        responses: { 200: json(backupSearched, 'What it found, or why it cannot be read'), ...refusedAlone },
      }),
      async (c) => {
        const request = { ...c.req.valid('param'), ...c.req.valid('json'), signal: c.req.raw.signal }
        return c.json(await runAlone('', () => searchBackup(c.var.ctx, request)), 200)
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/backups/{id}/messages',
        ...access,
        summary: 'Put a message of a backup into the inbox again',
        description: oneAtATime,
        request: { params: idParameter, body: { required: true, ...json(takenMessage, 'Its number') } },
        responses: { 200: json(messageTaken, 'It is there again, or why not'), ...refusedAlone },
      }),
      async (c) => {
        const request = { ...c.req.valid('param'), ...c.req.valid('json'), signal: c.req.raw.signal }
        return c.json(await runAlone('', () => takeMessageOut(c.var.ctx, request)), 200)
      },
    )
    .openapi(
      createRoute({
        method: 'post',
        path: '/backups/{id}/pages',
        ...access,
        summary: 'Add a page of a backup as a new one, which is not published',
        description: oneAtATime,
        request: { params: idParameter, body: { required: true, ...json(takenPage, 'Which one') } },
        responses: { 200: json(pageTaken, 'It was added, or why not'), ...refusedAlone },
      }),
      async (c) => {
        const request = { ...c.req.valid('param'), pageId: c.req.valid('json').id, signal: c.req.raw.signal }
        return c.json(await runAlone('', () => takePageOut(c.var.ctx, request)), 200)
      },
    )
}
