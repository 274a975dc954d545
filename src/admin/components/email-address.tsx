import type { CSSProperties } from 'react'

/** An email address that wraps only before the `@`. A domain that is too long gets an ellipsis. */
export function EmailAddress({ email }: { email: string }) {
  const at = email.lastIndexOf('@')
  return (
    <bdi dir="ltr">
      {email.slice(0, at)}
      <wbr />
      <span style={domainStyle} title={email}>
        {email.slice(at)}
      </span>
    </bdi>
  )
}

const domainStyle: CSSProperties = {
  display: 'inline-block',
  maxInlineSize: '100%',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  verticalAlign: 'bottom',
}
