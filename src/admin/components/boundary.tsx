import { Component, type ReactNode } from 'react'

interface Props {
  /** What is wrong may be right when this is another. */
  when?: unknown
  /** What stands in its place. @param again draws it anew */
  instead: (error: unknown, again: () => void) => ReactNode
  children: ReactNode
}

/** Keeps an error in what it draws from the rest of the screen. */
export class Boundary extends Component<Props, { failed?: { error: unknown } | undefined }> {
  override state: { failed?: { error: unknown } | undefined } = {}

  static getDerivedStateFromError(error: unknown) {
    return { failed: { error } }
  }

  override componentDidUpdate(before: Props) {
    if (this.state.failed && before.when !== this.props.when) this.#again()
  }

  readonly #again = () => this.setState({ failed: undefined })

  override render(): ReactNode {
    const { failed } = this.state
    return failed ? this.props.instead(failed.error, this.#again) : this.props.children
  }
}
