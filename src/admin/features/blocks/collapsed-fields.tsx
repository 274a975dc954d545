import { type ReactNode, useLayoutEffect, useRef } from 'react'

/** Collapsed fields. They open when one of them has an error, and stay open while it is corrected. */
export function CollapsedFields(props: {
  className: string | undefined
  label: string
  hasProblem: boolean
  children: ReactNode
}) {
  const { className, label, hasProblem, children } = props
  const details = useRef<HTMLDetailsElement>(null)
  useLayoutEffect(() => {
    if (hasProblem && details.current) details.current.open = true
  }, [hasProblem])
  return (
    <details ref={details} className={className}>
      <summary>{label}</summary>
      {children}
    </details>
  )
}
