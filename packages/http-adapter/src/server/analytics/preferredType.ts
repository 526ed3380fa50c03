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
export const preferredType = <MediaType extends string>(
  accept: string,
  offered: ReadonlyArray<MediaType>
): MediaType | undefined => {
  const ranges = rangesOf(accept)
  const wanted = offered.map((mediaType) => ({ mediaType, quality: wantedOf(ranges, mediaType) }))
  const most = Math.max(...wanted.map(({ quality }) => quality))
  return most === 0 ? undefined : wanted.find(({ quality }) => quality === most)?.mediaType
}
