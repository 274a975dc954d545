import { auditQuery, auditRow } from '../contract/audit.ts'
import { listOf } from '../contract/list.ts'
import { listChanges } from '../domain/audit/list-changes.ts'
import { findTitles } from '../domain/pages/list-pages.ts'
import { canSeeUsers } from '../domain/users/user.policy.ts'
import { createApi, defineRoute, json } from '../http/api.ts'
import { requestLocale } from '../http/request-locale.ts'

export const auditApi = () =>
  createApi().openapi(
    defineRoute('get', '/audit', {
      rights: ['audit.read'],
      summary: 'List changes',
      description: 'The newest first. `search` matches the names of the actor and of the subject.',
      request: { query: auditQuery },
      responses: { 200: json(listOf(auditRow), 'One page') },
    }),
    async (c) => {
      const locale = requestLocale(c.req.raw)
      return c.json(
        await listChanges(c.var.ctx, c.req.valid('query'), { locale, titlesOf: findTitles, seesUsers: canSeeUsers }),
        200,
      )
    },
  )
