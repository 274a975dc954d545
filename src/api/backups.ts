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
import { requestBackup, requestProof, showBackups, showRecoverySheet } from '../domain/backup/backups.ts'
import { fetchAndRestoreMessage, fetchAndRestorePage, searchBackup } from '../domain/backup/fetch-and-restore.ts'
import { createApi, defineRoute, json, jsonBody, refusalResponse, staleResponse } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'
import { createTaskLimit } from '../platform/task-limit.ts'

const access = { allRights: rights } as const

/** The definition of a route that reads a backup. */
const defineBackupRoute = <Path extends string, Body extends z.ZodType, Result extends z.ZodType>(
  path: Path,
  {
    summary,
    body,
    response,
  }: { summary: string; body: ReturnType<typeof jsonBody<Body>>; response: ReturnType<typeof json<Result>> },
) =>
  defineRoute('post', path, {
    ...access,
    summary,
    description:
      'The backup is fetched and restored into a temporary copy; only one at a time, and only while the client waits. The password must have been entered in the last ten minutes.',
    request: { params: idParameter, body },
    responses: {
      200: response,
      404: refusalResponse('There is no such backup'),
      429: refusalResponse('A backup is being read now'),
    },
  })

/** The id of the backup, and the signal that aborts reading when the client disconnects. */
const backupOf = (c: { req: { raw: Request; valid(target: 'param'): { id: number } } }) => ({
  ...c.req.valid('param'),
  signal: c.req.raw.signal,
})

/** `/backups`: for users who hold every right, because a backup contains everything. */
export const backupsApi = () => {
  const limitTests = createTaskLimit({ atOnce: 3, waiting: 3 })
  return createApi()
    .openapi(
      defineRoute('get', '/backups', {
        ...access,
        summary: 'The settings of backups, and the newest hundred backups',
        responses: { 200: json(backups, 'The settings, and the backups, the newest first') },
      }),
      async (c) => c.json(await showBackups(c.var.ctx, requestLocale(c.req.raw)), 200),
    )
    .openapi(
      defineRoute('post', '/backups', {
        ...access,
        summary: 'Make a backup now',
        description: 'It is made in the background, and stored where the settings say.',
        responses: { 202: json(backupRun, 'Queued') },
      }),
      async (c) => c.json(await requestBackup(c.var.ctx, requestLocale(c.req.raw)), 202),
    )
    .openapi(
      defineRoute('post', '/backups/proofs', {
        ...access,
        summary: 'Prove the newest backup now',
        description:
          'A proof is a test restore in the background: the backup is restored into a temporary copy, which is compared with the site.',
        responses: { 202: json(backupProof, 'Queued'), 404: refusalResponse('There is no backup yet') },
      }),
      async (c) => c.json(await requestProof(c.var.ctx, requestLocale(c.req.raw)), 202),
    )
    .openapi(
      defineRoute('put', '/backups/settings', {
        ...access,
        summary: 'Change when backups are made, and where they go',
        description:
          'Before saving, a test file is stored there and read back. Without `version`, newer settings are overwritten. The password must have been entered in the last ten minutes.',
        request: { body: jsonBody(changedBackupSettings, 'All settings') },
        responses: {
          200: json(backupSettings, 'Changed'),
          409: staleResponse,
          429: refusalResponse('Other users are testing now'),
        },
      }),
      async (c) => c.json(await limitTests(() => saveBackupSettings(c.var.ctx, c.req.valid('json'))), 200),
    )
    .openapi(
      defineRoute('post', '/backups/try', {
        ...access,
        summary: 'Test whether backups can be stored somewhere',
        description: 'The password must have been entered in the last ten minutes.',
        request: { body: jsonBody(changedBackupSettings, 'The settings, which are not saved') },
        responses: {
          200: json(targetTrialResult, 'The result'),
          429: refusalResponse('Other users are testing now'),
        },
      }),
      async (c) =>
        c.json(
          { error: await limitTests(() => testBackupTarget(c.var.ctx, c.req.valid('json'), requestLocale(c.req.raw))) },
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
      defineBackupRoute('/backups/{id}/search', {
        summary: 'Search the messages and pages of a backup',
        body: jsonBody(backupSearch, 'The text to search for'),
        response: json(backupSearchResult, 'The results, or why the backup cannot be read'),
      }),
      async (c) => c.json(await searchBackup(c.var.ctx, { ...backupOf(c), text: c.req.valid('json').text }), 200),
    )
    .openapi(
      defineBackupRoute('/backups/{id}/messages', {
        summary: 'Put a message of a backup into the inbox again',
        body: jsonBody(restoreMessageRequest, 'Its reference number'),
        response: json(restoreMessageResult, 'The restored message, or why it was not restored'),
      }),
      async (c) => c.json(await fetchAndRestoreMessage(c.var.ctx, { ...backupOf(c), ...c.req.valid('json') }), 200),
    )
    .openapi(
      defineBackupRoute('/backups/{id}/pages', {
        summary: 'Add a page of a backup as a new one, which is not published',
        body: jsonBody(restorePageRequest, 'The page'),
        response: json(restorePageResult, 'The added page, or why it was not added'),
      }),
      async (c) =>
        c.json(await fetchAndRestorePage(c.var.ctx, { ...backupOf(c), pageId: c.req.valid('json').id }), 200),
    )
}
