import { pointerTo } from "@parley/domain"
import { type RequestPart, requestParts } from "../requestParts.ts"

/** The JSON pointer to a place in a part of a request. */
export const pointerOf = (part: RequestPart, path: ReadonlyArray<PropertyKey>): string =>
  requestParts[part] + pointerTo(path)
