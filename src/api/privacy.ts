import {
  personErased,
  personExport,
  personExportRequest,
  personFound,
  personRequest,
  personSearch,
} from '../contract/privacy.ts'
import { privacyRights } from '../contract/rights.ts'
import { erasePerson } from '../domain/privacy/erase-person.ts'
import { countPersonalData, exportPerson } from '../domain/privacy/find-person.ts'
import { createApi, defineRoute, json, jsonBody, refusalResponse } from '../http/api.ts'
import { clientOrigin } from '../http/client-origin.ts'
import { streamText } from '../platform/csv.ts'

const access = { allRights: privacyRights } as const

const passwordRefusals = {
  403: refusalResponse('A right is missing, or a user without a password must sign in again first (`password_needed`)'),
  422: refusalResponse('The address or your password is wrong'),
  429: refusalResponse('Too many wrong passwords'),
}

/** `/privacy`. Every route is a POST, so that the email address does not appear in access logs. */
export const privacyApi = () =>
  createApi()
    .openapi(
      defineRoute('post', '/privacy/search', {
        ...access,
        summary: 'Count the personal data of an email address',
        request: { body: jsonBody(personSearch, 'The address') },
        responses: { 200: json(personFound, 'The counts') },
      }),
      async (c) => c.json(await countPersonalData(c.var.ctx, c.req.valid('json').email), 200),
    )
    .openapi(
      defineRoute('post', '/privacy/export', {
        ...access,
        summary: 'Export the personal data of an email address',
        description:
          'Messages with notes, replies and files (`content`, in base64), emails, the account, and its entries in the audit log. For an account with more rights than yours, `account.leftOut` names what is omitted. Needs your password. The audit log records the export, without the address.',
        request: { body: jsonBody(personExportRequest, 'The address, and your password') },
        responses: {
          200: {
            description: 'The data, as JSON or as an HTML page',
            content: { ...json(personExport, '').content, 'text/html': { schema: { type: 'string' } } },
          },
          ...passwordRefusals,
        },
      }),
      async (c) => {
        const request = c.req.valid('json')
        const { exportedAt, content } = await exportPerson(c.var.ctx, request, clientOrigin(c))
        const name = `privacy-${exportedAt.slice(0, 10)}.${request.format}`
        return c.body(streamText(content), 200, {
          'Content-Type': request.format === 'json' ? 'application/json' : 'text/html; charset=utf-8',
          'Content-Disposition': `attachment; filename="${name}"; filename*=UTF-8''${name}`,
        })
      },
    )
    .openapi(
      defineRoute('post', '/privacy/erase', {
        ...access,
        summary: 'Erase the personal data of an email address',
        description:
          'All or nothing: messages, emails, the account, and its names in the audit log. Needs your password. The audit log records the erasure, without the address.',
        request: { body: jsonBody(personRequest, 'The address, and your password') },
        responses: {
          200: json(personErased, 'The counts of what was erased'),
          ...passwordRefusals,
          403: refusalResponse(
            'A right is missing, the account holds one that you do not (`right_not_held`), or a user without a password must sign in again first (`password_needed`)',
          ),
          409: refusalResponse(
            'Your own account (`own_account`), or the last user who can manage users (`last_manager`)',
          ),
        },
      }),
      async (c) => c.json(await erasePerson(c.var.ctx, c.req.valid('json'), clientOrigin(c)), 200),
    )
