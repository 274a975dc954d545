import { queryOptions } from '@tanstack/react-query'
import type { SenderChecks } from '../../../contract/mail-checks.ts'
import type { Mailbox, MailServer } from '../../../contract/mail-server.ts'
import { api, parseResponse } from '../../client.ts'

export const mailServerQuery = queryOptions({
  queryKey: ['mail-server'],
  queryFn: async (): Promise<MailServer> => parseResponse(api['mail-server'].$get()),
})

/** Fetched only by a button, because the server queries the DNS for it. */
export const senderChecksQuery = queryOptions({
  queryKey: ['mail-server', 'checks'],
  queryFn: async (): Promise<SenderChecks> => parseResponse(api['mail-server'].checks.$get()),
  enabled: false,
})

export const mailboxQuery = queryOptions({
  queryKey: ['mail-server', 'mailbox'],
  queryFn: async (): Promise<Mailbox> => parseResponse(api['mail-server'].mailbox.$get()),
})
