import { hasRight, type RightsHolder } from '../../contract/rights.ts'

/** Authors of pages choose from the files. */
export const canSeeFiles = (actor: RightsHolder): boolean => hasRight(actor, ['files.write', 'pages.write'])

export const canWriteFiles = (actor: RightsHolder): boolean => hasRight(actor, ['files.write'])
