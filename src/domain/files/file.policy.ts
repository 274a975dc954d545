import { hasRight, type Right } from '../../contract/rights.ts'

interface Holder {
  rights: readonly Right[]
}

/** Who writes pages chooses from the files. */
export const canSeeFiles = (actor: Holder): boolean => hasRight(actor, ['files.write', 'pages.write'])

export const canWriteFiles = (actor: Holder): boolean => hasRight(actor, ['files.write'])
