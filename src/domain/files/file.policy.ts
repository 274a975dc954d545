import { hasRight, type RightsHolder } from '../../contract/rights.ts'

/** Authors of pages need to see the files to choose from them. */
export const canSeeFiles = (actor: RightsHolder): boolean => hasRight(actor, ['files.write', 'pages.write'])

export const canWriteFiles = (actor: RightsHolder): boolean => hasRight(actor, ['files.write'])
