import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { expect, test } from 'vitest'
import { aTempFolder } from '../../../test/support/databases.ts'
import { folderTarget } from '../../platform/archive/backup-target.ts'
import { readJournalAt, writeJournalFile } from './journal.ts'

const erased = (subject: string, at: string) => ({ kind: 'erased' as const, subject, at })
const nothing = { siteId: 'x', entries: [], blockedUsers: [], lastIds: {} }

test.each([
  ['a second later by a copy of the site', '2026-11-10T02:00:01.000Z', '2026-11-10T02:00:01.000Z'],
  ['while the clock was a year ahead', '2027-11-10T02:00:00.000Z', '2026-11-10T02:00:00.000Z'],
])(
  'writing the journal over one that was written %s keeps the erasures of both, and only the new blocked and deleted users',
  async (_, at, latest) => {
    const identity = await generateX25519Identity()
    const key = { identity, recipient: await identityToRecipient(identity) }
    const target = folderTarget(aTempFolder())
    const sanne = erased('sanne', '2026-11-01T00:00:00.000Z')
    const earlier = erased('daan', '2026-11-02T00:00:00.000Z')
    const later = { ...earlier, at: '2026-11-03T00:00:00.000Z' }
    const roya = erased('roya', '2026-11-09T00:00:00.000Z')
    const deleted = (id: string) => ({ kind: 'user_deleted' as const, subject: id, at: '2026-11-09T00:00:00.000Z' })
    const entries = [sanne, earlier, deleted('1')]
    const stored = { ...nothing, at, entries, blockedUsers: [8], lastIds: { message: 9, page: 3 } }
    await writeJournalFile(target, key, stored)
    const present = {
      ...nothing,
      at: '2026-11-10T02:00:00.000Z',
      entries: [later, roya, deleted('5')],
      blockedUsers: [7],
    }
    await writeJournalFile(target, key, { ...present, lastIds: { message: 8, file: 4 } })
    expect(await readJournalAt(target, identity, 'x')).toEqual({
      siteId: 'x',
      at: latest,
      entries: [sanne, later, roya, deleted('5')],
      blockedUsers: [7],
      lastIds: { message: 9, page: 3, file: 4 },
    })
  },
)
