/** Whether the caller accepts the media type by its exact name. */
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
  const input = parameters.map((parameter) => /^q=(?<quality>[01](?:\.\d{0,3})?)$/.exec(parameter)?.groups?.["quality"])
  const quality = Number(input.find((value) => value !== undefined) ?? 1)
  return Math.min(1, quality)
}

const rangesOf = (accept: string): ReadonlyArray<MediaRange> =>
  accept.split(",").map((range) => {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    return { name, quality: qualityOf(parameters) }
  })

/** Quality of a media type. An exact name precedes a type range, which precedes the range of all types. */
const wantedOf = (ranges: ReadonlyArray<MediaRange>, mediaType: string): number => {
  const names = [mediaType, mediaType.replace(/\/.*$/, "/*"), "*/*"]
  const found = names.map((name) => ranges.find((range) => range.name === name))
  return found.find((range) => range !== undefined)?.quality ?? 0
}

/** Returns the media type with the highest quality in an `Accept` header, the first on a tie; none if no type is accepted. */
const preferredType = <MediaType extends string>(
  accept: string,
  offered: ReadonlyArray<MediaType>
): MediaType | undefined => {
  const ranges = rangesOf(accept)
  const wanted = offered.map((mediaType) => ({ mediaType, quality: wantedOf(ranges, mediaType) }))
  const most = Math.max(...wanted.map(({ quality }) => quality))
  return most === 0 ? undefined : wanted.find(({ quality }) => quality === most)?.mediaType
}

/** Format of an analytics answer. */
export type AnswerFormat = "json" | "csv" | "svg"

export const mediaTypes = {
  json: "application/json",
  csv: "text/csv",
  svg: "image/svg+xml"
} as const satisfies Readonly<Record<AnswerFormat, string>>

const formats = ["json", "csv", "svg"] as const

/** Selects the format: the explicit name, else the best match of `Accept`, the first on a tie, else JSON. */
export const answerFormat = (named: AnswerFormat | undefined, accept: string | undefined): AnswerFormat => {
  if (named !== undefined) return named
  const preferred = preferredType(
    accept ?? "*/*",
    formats.map((format) => mediaTypes[format])
  )
  return formats.find((format) => mediaTypes[format] === preferred) ?? "json"
}
