import { DateTime, Option } from "effect"
import { GraphQLError } from "graphql"
import type { Filter } from "./nodes.ts"

const term = /^(updated_at|created_at|processed_at|id):(>=|>)'?([^'\s]+)'?$/u

const timeIn = (text: string): number => {
  const time = DateTime.make(text)
  if (Option.isSome(time)) return DateTime.toEpochMillis(time.value)
  throw new GraphQLError(`${text} is no time.`)
}

/** Parses a search query. Unknown terms are an error, to prevent silently ignored filters. */
export const filterIn = (query: string | null | undefined): Filter => {
  const filter = {
    updatedFrom: null as number | null,
    createdFrom: null as number | null,
    idAfter: null as number | null
  }
  for (const word of (query ?? "").split(/\s+(?:AND\s+)?/u).filter((part) => part !== "")) {
    const [, name, operator, value = ""] = term.exec(word) ?? []
    const more = operator === ">" ? 1 : 0
    if (name === "updated_at") filter.updatedFrom = timeIn(value) + more
    else if (name === "created_at" || name === "processed_at") filter.createdFrom = timeIn(value) + more
    else if (name === "id") filter.idAfter = Number(value) - (1 - more)
    else throw new GraphQLError(`The simulator does not know how to search for ${word}.`)
  }
  return filter
}
