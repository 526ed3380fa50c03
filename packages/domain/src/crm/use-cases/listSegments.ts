import { Effect } from "effect"
import { paged, type PageRequest, useCase } from "../../kernel/index.ts"
import { foldName } from "../names.ts"
import { Segments } from "../Segments.ts"

/** Reads the segments by name. */
export const listSegments = useCase(
  "segments.list",
  { access: { permission: "contacts.read" } },
  Effect.fnUntraced(function* (page: PageRequest) {
    const segments = yield* Segments
    return yield* paged(
      "segments",
      page,
      (slice) => segments.list(slice),
      (segment) => [foldName(segment.name), segment.id]
    )
  })
)
