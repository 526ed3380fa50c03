/** Whether the media type is among those that the caller accepts, by its own name. */
export const acceptsType = (accept: string | undefined, mediaType: string) =>
  accept !== undefined &&
  accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    return type === mediaType && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })

interface MediaRange {
  readonly name: string
  readonly quality: number
}

const qualityOf = (parameters: ReadonlyArray<string>): number => {
  const said = parameters.map((parameter) => /^q=(?<quality>[01](?:\.\d{0,3})?)$/.exec(parameter)?.groups?.["quality"])
  const quality = Number(said.find((value) => value !== undefined) ?? 1)
  return Math.min(1, quality)
}

const rangesOf = (accept: string): ReadonlyArray<MediaRange> =>
  accept.split(",").map((range) => {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    return { name, quality: qualityOf(parameters) }
  })

/** How much a media type is wanted: what is said of it by name goes before what is said of its kind, and that before what is said of all. */
const wantedOf = (ranges: ReadonlyArray<MediaRange>, mediaType: string): number => {
  const names = [mediaType, mediaType.replace(/\/.*$/, "/*"), "*/*"]
  const found = names.map((name) => ranges.find((range) => range.name === name))
  return found.find((range) => range !== undefined)?.quality ?? 0
}

/** Which of the media types an `Accept` header wants most, the first of those that it wants alike; none if it wants none. */
const preferredType = <MediaType extends string>(
  accept: string,
  offered: ReadonlyArray<MediaType>
): MediaType | undefined => {
  const ranges = rangesOf(accept)
  const wanted = offered.map((mediaType) => ({ mediaType, quality: wantedOf(ranges, mediaType) }))
  const most = Math.max(...wanted.map(({ quality }) => quality))
  return most === 0 ? undefined : wanted.find(({ quality }) => quality === most)?.mediaType
}

/** How an answer of analytics is written. */
export type AnswerFormat = "json" | "csv" | "svg"

/** The media types of the formats. */
export const mediaTypes = {
  json: "application/json",
  csv: "text/csv",
  svg: "image/svg+xml"
} as const satisfies Readonly<Record<AnswerFormat, string>>

const formats = ["json", "csv", "svg"] as const

/** The format that is asked for: by its name, else the one that `Accept` wants most, the first of several, else JSON. */
export const answerFormat = (named: AnswerFormat | undefined, accept: string | undefined): AnswerFormat => {
  if (named !== undefined) return named
  const preferred = preferredType(
    accept ?? "*/*",
    formats.map((format) => mediaTypes[format])
  )
  return formats.find((format) => mediaTypes[format] === preferred) ?? "json"
}
