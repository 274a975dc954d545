/** Types for the modules that are imported separately; the library only has types for its main module. */
declare module 'mailauth/lib/spf/index.js' {
  import type { DNSResolver } from 'mailauth'

  function spf(options: {
    sender: string
    ip: string
    helo: string
    maxResolveCount?: number
    maxVoidCount?: number
    resolver: DNSResolver
  }): Promise<{
    status: { result: 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'permerror' | 'temperror'; comment?: string }
    lookups?: { count: number; void: number }
  }>
  const exports: { spf: typeof spf }
  export default exports
}

declare module 'mailauth/lib/dmarc/get-dmarc-record.js' {
  import type { DNSResolver } from 'mailauth'
  export default function getDmarcRecord(
    domain: string,
    resolver: DNSResolver,
  ): Promise<false | { p?: string; sp?: string; isOrgRecord: boolean; rr: string; recordDomain: string }>
}

declare module 'mailauth/lib/tools.js' {
  import type { DNSResolver } from 'mailauth'

  /** @throws an error whose `code` is that of the DNS, or begins with `EINVALID` */
  function getPublicKey(
    type: 'DKIM',
    name: string,
    minBitLength: number | undefined,
    resolver: DNSResolver,
  ): Promise<{ rr: string }>
  const exports: { getPublicKey: typeof getPublicKey }
  export default exports
}

declare module 'mailauth/lib/parse-dkim-headers.js' {
  interface Result {
    value: string
    comment?: string
  }
  /** @param header a whole `Authentication-Results` field */
  export default function parseHeader(header: string): {
    parsed: { spf?: Result; dmarc?: Result; dkim?: Result[] }
  }
}
