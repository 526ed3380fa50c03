import { type RequestPart, requestParts } from "../requestParts.ts"

/** Nobody looks for a field by a longer name, and who sends one need not get it back. */
const longestSegment = 100

const segment = (key: PropertyKey) =>
  String(key).slice(0, longestSegment).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1")

/** The JSON pointer to a place in a part of a request. */
export const pointerOf = (part: RequestPart, path: ReadonlyArray<PropertyKey>): string =>
  [requestParts[part], ...path.map(segment)].join("/")
