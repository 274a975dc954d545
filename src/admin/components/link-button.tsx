import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, Ref } from 'react'

type OfLink = Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'style' | 'color'> & { ref?: Ref<HTMLAnchorElement> }

/** A button that goes somewhere. */
export const LinkButton = createLink((props: ButtonProps & OfLink) => <Button component="a" {...props} />)

/** A link in text or in a list. */
export const TextLink = createLink((props: AnchorProps & OfLink) => <Anchor underline="hover" inherit {...props} />)
