import { queryOptions } from '@tanstack/react-query'
import type { SenderChecks } from '../../../contract/mail-checks.ts'
import type { MailServer } from '../../../contract/mail-server.ts'
import { api, parseResponse } from '../../client.ts'

export const mailServerQuery = queryOptions({
  queryKey: ['mail-server'],
  queryFn: async (): Promise<MailServer> => parseResponse(api['mail-server'].$get()),
})

/** Asked when somebody wants to know: it takes questions to the DNS. */
export const senderChecksQuery = queryOptions({
  queryKey: ['mail-server', 'checks'],
  queryFn: async (): Promise<SenderChecks> => parseResponse(api['mail-server'].checks.$get()),
  enabled: false,
})
