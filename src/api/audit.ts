import { auditQuery, auditRow } from '../contract/audit.ts'
import { listOf } from '../contract/list.ts'
import { listChanges } from '../domain/audit/list-changes.ts'
import { findPageTitles } from '../domain/pages/list-pages.ts'
import { canSeeUsers } from '../domain/users/user.policy.ts'
import { createApi, defineRoute, json } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'

export const auditApi = () =>
  createApi().openapi(
    defineRoute('get', '/audit', {
      anyRight: ['audit.read'],
      summary: 'List changes',
      description: 'The newest first. `search` matches the names of the actor and of the subject.',
      request: { query: auditQuery },
      responses: { 200: json(listOf(auditRow), 'One page of the list') },
    }),
    async (c) => {
      const options = { locale: requestLocale(c.req.raw), titlesOf: findPageTitles, seesUsers: canSeeUsers }
      return c.json(await listChanges(c.var.ctx, c.req.valid('query'), options), 200)
    },
  )
