import { z } from 'zod'
import { counter, rowId } from './list.ts'
import { author } from './pages.ts'
import { holdsAll, type RightsHolder, rights } from './rights.ts'
import { singleLine } from './text.ts'

/** A backup contains all data of the site, so managing backups requires every right. */
export const canManageBackups = (actor: RightsHolder): boolean => holdsAll(actor, rights)

const retentionCount = z.int({ error: 'number' }).min(0, 'number').max(400, 'number')
const optionalLine = z.union([z.literal(''), singleLine(500)])

/** When backups are made, how many are kept, and where they are stored. */
const settings = z.object({
  scheduled: z.boolean(),
  /** The local time in the time zone of the site, such as `03:00`. */
  time: z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'value'),
  /** The number of days, weeks and months of which the newest backup is kept; those without a backup do not count. */
  daily: retentionCount.min(1, 'number'),
  weekly: retentionCount,
  monthly: retentionCount,
  kind: z.enum(['folder', 's3']),
  /** The path of a folder on the server. */
  folder: optionalLine,
  /** Scheme and host of the S3 server. */
  endpoint: optionalLine,
  region: optionalLine,
  bucket: optionalLine,
  /** A folder in the bucket. */
  prefix: optionalLine,
  accessKeyId: optionalLine,
})

export const backupSettings = settings
  .extend({ hasSecret: z.boolean().describe('Whether a secret key is stored'), version: z.int() })
  .meta({ id: 'BackupSettings' })
export type BackupSettings = z.infer<typeof backupSettings>

export const changedBackupSettings = settings
  .extend({
    secretAccessKey: optionalLine.describe('Empty: the stored one stays').default(''),
    version: counter.optional(),
  })
  .strict()
  .meta({ id: 'ChangedBackupSettings' })
export type ChangedBackupSettings = z.infer<typeof changedBackupSettings>

export const targetTrialResult = z
  .object({
    error: z.string().nullable().describe('Why nothing can be stored there; null: a file was, and was read back'),
  })
  .meta({ id: 'BackupTargetTried' })

export const backupRun = z
  .object({
    id: z.int(),
    madeBy: z.enum(['clock', 'hand', 'command']),
    state: z.enum(['waiting', 'running', 'done', 'failed']),
    askedAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
    target: z.string(),
    name: z.string(),
    bytes: z.number().describe('What it added to its target: files of earlier backups are not stored again'),
    rows: z.int(),
    files: z.int(),
    /** In the language of the request, or the system's message; `interrupted`: the server stopped. Empty: none. */
    error: z.string(),
    by: author,
  })
  .meta({ id: 'Backup' })
export type BackupRun = z.infer<typeof backupRun>

/** The findings of a proof: a test restore of a backup to a temporary copy. Counts what was equal, up to a failure. */
const proofFindings = z.object({
  rows: z.int(),
  files: z.int(),
  /** Pages that are rendered alike from the copy and from the site. */
  pages: z.int(),
  /** Pages that are rendered differently because the site changed since the backup. */
  changedPages: z.int(),
  /** Whether signing in to the copy as one of its users succeeded; false too when no user may sign in. */
  signedIn: z.boolean(),
  /** Files missing or damaged where the backup is stored, at most a thousand; the next backup stores them again. */
  damagedFiles: z.array(z.string()).optional(),
})
export type ProofFindings = z.infer<typeof proofFindings>

export const backupProof = z
  .object({
    id: z.int(),
    madeBy: z.enum(['clock', 'hand', 'command']),
    state: z.enum(['waiting', 'running', 'proved', 'failed', 'unknown']),
    askedAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
    /** The name of the backup, and when it was made. */
    name: z.string(),
    backupAt: z.iso.datetime().nullable(),
    findings: proofFindings.nullable(),
    /** Why it failed, in the form of `error` of a backup. */
    reason: z.string(),
  })
  .meta({ id: 'BackupProof' })
export type BackupProof = z.infer<typeof backupProof>

export const backups = z
  .object({
    settings: backupSettings,
    /** When the next scheduled backup is due; null: none is scheduled. */
    nextAt: z.iso.datetime().nullable(),
    /** The newest first. */
    runs: z.array(backupRun),
    /** The last seven, the newest first. */
    proofs: z.array(backupProof),
    /** The changes since the newest backup, which would be lost if the server were lost now; null without a backup. */
    lost: z.object({ since: z.iso.datetime(), messages: z.int(), changes: z.int() }).nullable(),
  })
  .meta({ id: 'Backups' })
export type Backups = z.infer<typeof backups>

/**
 * Why no message or page can be restored from a backup. `missing`: the archive is gone or was replaced; `journal`: the
 * list of erased people cannot be read; `otherKey`: it is encrypted with another key; `newer`: a later version of
 * Etalage made it; `noRoom`: the disk is full; `notInBackup`: the archive lacks the message or page; `erased`: its
 * person was erased since; `present`: the site still has it.
 */
const restoreOneProblems = [
  'missing',
  'unreachable',
  'damaged',
  'journal',
  'otherKey',
  'newer',
  'otherSite',
  'noRoom',
  'notInBackup',
  'erased',
  'present',
] as const
export type RestoreOneProblem = (typeof restoreOneProblems)[number]

const restoreOneFailure = {
  problem: z.enum(restoreOneProblems).nullable().describe('Null: it was done'),
  /** In English. */
  detail: z.string(),
}

export const backupSearch = z
  .strictObject({ text: singleLine(200).describe('A name, email address, number, title or address') })
  .meta({ id: 'BackupSearch' })

/** A message in a backup. After its sender was erased it is only found by its number, without name and address. */
const messageInBackup = z.object({
  reference: z.int(),
  name: z.string(),
  email: z.string(),
  at: z.iso.datetime(),
  files: z.int(),
  replies: z.int(),
  /** Why it cannot be restored; null: it can. */
  problem: z.enum(['erased', 'present']).nullable(),
})
export type MessageInBackup = z.infer<typeof messageInBackup>

const pagePaths = z.array(z.object({ locale: z.string(), from: z.string(), to: z.string() }))

/** A page or entry in a backup. */
const pageInBackup = z.object({
  id: z.int(),
  title: z.string(),
  isPublished: z.boolean(),
  paths: pagePaths.describe(
    'Its address in each language in the backup (`from`), and the one it would get (`to`): another one when that address is in use',
  ),
  /** The names of the files that the site no longer has. */
  files: z.array(z.string()),
})
export type PageInBackup = z.infer<typeof pageInBackup>

export const backupSearchResult = z
  .object({
    ...restoreOneFailure,
    found: z
      .object({
        messages: z.array(messageInBackup).describe('The newest first'),
        pages: z.array(pageInBackup),
        more: z.boolean().describe('Whether there are more than these'),
      })
      .nullable(),
  })
  .meta({ id: 'BackupSearched' })
export type BackupSearchResult = z.infer<typeof backupSearchResult>

/** The ids of these schemas are older than the name of the feature, and stay because they are public. */
export const restoreMessageRequest = z.strictObject({ reference: rowId }).meta({ id: 'TakeMessage' })
/** The page is added as a new one that is not published; no page of the site is changed. */
export const restorePageRequest = z
  .strictObject({ id: rowId.describe('That of the page in the backup') })
  .meta({ id: 'TakePage' })

const missingFiles = z.array(z.string()).describe('What the backup lacks, or has damaged')

export const restoreMessageResult = z
  .object({
    ...restoreOneFailure,
    message: z.object({ reference: z.int(), files: z.int(), replies: z.int(), missingFiles }).nullable(),
  })
  .meta({ id: 'MessageTakenOut' })
export type RestoreMessageResult = z.infer<typeof restoreMessageResult>

export const restorePageResult = z
  .object({
    ...restoreOneFailure,
    page: z.object({ id: z.int(), paths: pagePaths, files: z.array(z.string()), missingFiles }).nullable(),
  })
  .meta({ id: 'PageTakenOut' })
export type RestorePageResult = z.infer<typeof restorePageResult>

export const recoverySheetText = z.object({ text: z.string() }).meta({ id: 'RecoverySheet' })

/**
 * The state of a site's backups. `waiting`: scheduled, and none was made yet. These need attention: `failed`: the
 * newest scheduled or manual backup failed; `late`: the scheduled one is hours overdue; `unproved`: the newest
 * proof with a result failed.
 */
export type BackupState = 'off' | 'waiting' | 'good' | 'failed' | 'late' | 'unproved'
