/**
 * The headers of a CSV download.
 * @param file.name in ASCII, for old clients; `title` is the full name, without extension
 */
export const csvHeaders = (file: { name: string; title: string; at: Date }): Record<string, string> => {
  const day = file.at.toISOString().slice(0, 10)
  return {
    'Content-Type': 'text/csv; charset=utf-8; header=present',
    'Content-Disposition': disposition(`${file.name}-${day}.csv`, `${file.title}-${day}.csv`),
  }
}

const disposition = (name: string, title: string) =>
  `attachment; filename="${name}"; filename*=UTF-8''${encodeURIComponent(title)}`

/** Streams text at the pace of its reader. */
export function streamText(pieces: AsyncGenerator<string, void, undefined>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(encoder.encode(value))
    },
    async cancel() {
      await pieces.return()
    },
  })
}
