import { hasRight } from '../../contract/rights.ts'
import type { Actor } from '../../platform/context.ts'

export const canWriteConfiguration = (actor: Pick<Actor, 'rights'>): boolean => hasRight(actor, ['config.write'])
