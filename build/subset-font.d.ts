/** The used part of `subset-font`, which has no types. */
declare module 'subset-font' {
  interface Axis {
    min: number
    max: number
  }
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: {
      targetFormat: 'sfnt' | 'woff2'
      noHinting?: boolean
      keepFeatures?: string[]
      variationAxes?: Record<string, number | Axis>
    },
  ): Promise<Buffer>
}
