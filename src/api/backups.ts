import type { z } from 'zod'
import {
  backupProof,
  backupRun,
  backupSearch,
  backupSearchResult,
  backupSettings,
  backups,
  changedBackupSettings,
  recoverySheetText,
  restoreMessageRequest,
  restoreMessageResult,
  restorePageRequest,
  restorePageResult,
  targetTrialResult,
} from '../contract/backups.ts'
import { idParameter } from '../contract/list.ts'
import { rights } from '../contract/rights.ts'
import { saveBackupSettings, testBackupTarget } from '../domain/backup/backup-settings.ts'
import { askForBackup, askForProof, showBackups, showRecoverySheet } from '../domain/backup/backups.ts'
import { searchBackup, takeMessageOut, takePageOut } from '../domain/backup/take-from-backup.ts'
import { createApi, defineRoute, json, jsonBody, refusalResponse, staleResponse } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'
import { createTaskLimit } from '../platform/task-limit.ts'

const access = { rights, allRights: true } as const

/** A route that reads a backup. */
const readingRoute = <Path extends string, Body extends z.ZodType, Answer extends z.ZodType>(
  path: Path,
  {
    summary,
    body,
    response,
  }: { summary: string; body: ReturnType<typeof jsonBody<Body>>; response: ReturnType<typeof json<Answer>> },
) =>
  defineRoute('post', path, {
    ...access,
    summary,
    description:
      'The archive is fetched and restored aside, as long as the client waits, one at a time. The password must have been entered in the last ten minutes.',
    request: { params: idParameter, body },
    responses: {
      200: response,
      404: refusalResponse('There is no such backup'),
      429: refusalResponse('A backup is being read now'),
    },
  })

const backupOf = (c: { req: { raw: Request; valid(target: 'param'): { id: number } } }) => ({
  ...c.req.valid('param'),
  signal: c.req.raw.signal,
})

/** `/backups`: for those who hold every right. */
export const backupsApi = () => {
  const runTry = createTaskLimit({ atOnce: 3, waiting: 3 })
  return createApi()
    .openapi(
      defineRoute('get', '/backups', {
        ...access,
        summary: 'The settings of backups, and the newest hundred',
        responses: { 200: json(backups, 'The newest first') },
      }),
      async (c) => c.json(await showBackups(c.var.ctx, requestLocale(c.req.raw)), 200),
    )
    .openapi(
      defineRoute('post', '/backups', {
        ...access,
        summary: 'Make a backup now',
        description: 'In the background, where the settings want it.',
        responses: { 202: json(backupRun, 'It is waiting') },
      }),
      async (c) => c.json(await askForBackup(c.var.ctx, requestLocale(c.req.raw)), 202),
    )
    .openapi(
      defineRoute('post', '/backups/proofs', {
        ...access,
        summary: 'Prove the newest backup now',
        description: 'In the background it is restored aside, and the copy is compared with the site.',
        responses: { 202: json(backupProof, 'It is waiting'), 404: refusalResponse('There is no backup yet') },
      }),
      async (c) => c.json(await askForProof(c.var.ctx, requestLocale(c.req.raw)), 202),
    )
    .openapi(
      defineRoute('put', '/backups/settings', {
        ...access,
        summary: 'Change when backups are made, and where they go',
        description:
          'A file is stored there and read back first. Without `version` it overwrites. The password must have been entered in the last ten minutes.',
        request: { body: jsonBody(changedBackupSettings, 'All settings') },
        responses: {
          200: json(backupSettings, 'Changed'),
          409: staleResponse,
          429: refusalResponse('Others are trying now'),
        },
      }),
      async (c) => c.json(await runTry(() => saveBackupSettings(c.var.ctx, c.req.valid('json'))), 200),
    )
    .openapi(
      defineRoute('post', '/backups/try', {
        ...access,
        summary: 'Try whether backups can be stored somewhere',
        description: 'The password must have been entered in the last ten minutes.',
        request: { body: jsonBody(changedBackupSettings, 'Settings, which are not saved') },
        responses: { 200: json(targetTrialResult, 'What happened'), 429: refusalResponse('Others are trying now') },
      }),
      async (c) =>
        c.json(
          { error: await runTry(() => testBackupTarget(c.var.ctx, c.req.valid('json'), requestLocale(c.req.raw))) },
          200,
        ),
    )
    .openapi(
      defineRoute('post', '/backups/recovery-sheet', {
        ...access,
        summary: 'The recovery sheet, with the key of the backups',
        description: 'The password must have been entered in the last ten minutes.',
        responses: { 200: json(recoverySheetText, 'A text to print') },
      }),
      async (c) => c.json({ text: await showRecoverySheet(c.var.ctx, requestLocale(c.req.raw)) }, 200),
    )
    .openapi(
      readingRoute('/backups/{id}/search', {
        summary: 'Search the messages and pages of a backup',
        body: jsonBody(backupSearch, 'What to look for'),
        response: json(backupSearchResult, 'What it found, or why it cannot be read'),
      }),
      async (c) => c.json(await searchBackup(c.var.ctx, { ...backupOf(c), text: c.req.valid('json').text }), 200),
    )
    .openapi(
      readingRoute('/backups/{id}/messages', {
        summary: 'Put a message of a backup into the inbox again',
        body: jsonBody(restoreMessageRequest, 'Its number'),
        response: json(restoreMessageResult, 'It is there again, or why not'),
      }),
      async (c) => c.json(await takeMessageOut(c.var.ctx, { ...backupOf(c), ...c.req.valid('json') }), 200),
    )
    .openapi(
      readingRoute('/backups/{id}/pages', {
        summary: 'Add a page of a backup as a new one, which is not published',
        body: jsonBody(restorePageRequest, 'Which one'),
        response: json(restorePageResult, 'It was added, or why not'),
      }),
      async (c) => c.json(await takePageOut(c.var.ctx, { ...backupOf(c), pageId: c.req.valid('json').id }), 200),
    )
}
