import type { CSSProperties } from 'react'

/** An email address that wraps only before its domain. A domain that is too long is cut off. */
export function EmailAddress({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <bdi dir="ltr">
      {email.slice(0, at)}
      <wbr />
      <span style={domain} title={email}>
        {email.slice(at)}
      </span>
    </bdi>
  )
}

const domain: CSSProperties = {
  display: 'inline-block',
  maxInlineSize: '100%',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  verticalAlign: 'bottom',
}
