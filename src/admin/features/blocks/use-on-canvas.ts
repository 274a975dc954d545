import { type RefObject, useEffect } from 'react'
import { useLatest } from '../../components/latest.ts'

/** Listens in the window of the canvas, which is a document of its own and another one each time that it loads. */
export function useOnCanvas(
  place: RefObject<HTMLElement | null>,
  listen: (page: Document, signal: AbortSignal) => void,
): void {
  const latest = useLatest(listen)
  useEffect(() => {
    const frame = place.current?.querySelector('iframe')
    let over = new AbortController()
    const begin = () => {
      over.abort()
      over = new AbortController()
      if (frame?.contentDocument) latest.current(frame.contentDocument, over.signal)
    }
    begin()
    frame?.addEventListener('load', begin)
    return () => {
      over.abort()
      frame?.removeEventListener('load', begin)
    }
  }, [place, latest])
}
